// One id tag: what charge points are answered, changed and deleted, and the way to its sessions.

import { useState } from 'preact/hooks'
import { Link, useLocation } from 'wouter-preact'
import type { PageProps } from '../../app/pages.js'
import { api, ask } from '../../client/api.js'
import { momentText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { Ask } from '../../parts/ask.js'
import { Button } from '../../parts/button.js'
import { Tag } from '../../parts/chip.js'
import { Facts } from '../../parts/facts.js'
import { PageHead, Panel } from '../../parts/panel.js'
import { Loaded } from '../../parts/states.js'
import { type IdTag, statuses, TagDialog } from '../id-tags/tag-dialog.js'

export function Page({ params: { id_tag = '' } }: PageProps) {
  const tag = useResource(
    (signal) => ask(api.GET('/api/v1/id-tags/{id_tag}', { params: { path: { id_tag } }, signal })),
    [id_tag],
  )
  return <Loaded of={tag}>{(data) => <Shown tag={data} reload={tag.reload} />}</Loaded>
}

function Shown({ tag, reload }: { readonly tag: IdTag; readonly reload: () => void }) {
  const [, navigate] = useLocation()
  const [dialog, setDialog] = useState<'change' | 'remove'>()
  const close = () => setDialog(undefined)
  const { id_tag } = tag
  const status = statuses.find(({ value }) => value === tag.status)
  return (
    <>
      <PageHead
        title={<span class="mono">{id_tag}</span>}
        about={<Tag kind={status?.kind ?? 'plain'}>{status?.name ?? tag.status}</Tag>}
        actions={
          may('write:charge_points') && (
            <>
              <Button icon="pencil" onClick={() => setDialog('change')}>
                Change
              </Button>
              <Button icon="trash" onClick={() => setDialog('remove')}>
                Delete
              </Button>
            </>
          )
        }
      />
      <Panel title="Id tag" padded>
        <Facts
          of={[
            { name: 'Your name for it', value: tag.label },
            { name: 'Charge points are answered', value: tag.status },
            { name: 'Group', value: tag.parent_id_tag && <span class="mono">{tag.parent_id_tag}</span> },
            { name: 'May charge until', value: tag.expiry_date === null ? 'for ever' : momentText(tag.expiry_date) },
            { name: 'Registered', value: momentText(tag.created_at) },
            { name: 'Changed', value: momentText(tag.updated_at) },
            {
              name: 'Sessions',
              value: may('read:sessions') && (
                <Link class="link" href={`/sessions?tag=${encodeURIComponent(id_tag)}`}>
                  Those of this tag
                </Link>
              ),
            },
          ]}
        />
      </Panel>
      {dialog === 'change' && <TagDialog tag={tag} close={close} done={reload} />}
      {dialog === 'remove' && (
        <Ask
          title={`Delete ${id_tag}?`}
          does="Delete it"
          said={`${id_tag} is deleted.`}
          danger
          close={close}
          run={async () => {
            await ask(api.DELETE('/api/v1/id-tags/{id_tag}', { params: { path: { id_tag } } }))
            navigate('/id-tags')
          }}
        >
          <p>
            It is unknown from then on: whether it may charge is what your settings say of unknown id tags. To keep it
            from charging for certain, change it to blocked instead.
          </p>
        </Ask>
      )}
    </>
  )
}
