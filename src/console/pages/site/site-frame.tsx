// What stands above every page of a site: its name and address, changing and removing it, and the tabs.

import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import type { FrameProps } from '../../app/pages.js'
import { api, ask } from '../../client/api.js'
import { useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { Ask } from '../../parts/ask.js'
import { Button } from '../../parts/button.js'
import { PageHead } from '../../parts/panel.js'
import { Loaded } from '../../parts/states.js'
import { Tabs } from '../../parts/tabs.js'
import { toast } from '../../parts/toast.js'
import { HereContext, type Site } from './here.js'
import { SiteDialog } from './site-dialog.js'

export function Frame({ params: { site_id = '' }, tabs, children }: FrameProps) {
  const site = useResource(
    (signal) => ask(api.GET('/api/v1/sites/{site_id}', { params: { path: { site_id } }, signal })),
    [site_id],
    { everySeconds: 30 },
  )
  return (
    <Loaded of={site}>
      {(data) => (
        <HereContext.Provider value={{ site: data, reload: site.reload }}>
          <Head site={data} reload={site.reload} />
          <Tabs label="Site" tabs={tabs} />
          {children}
        </HereContext.Provider>
      )}
    </Loaded>
  )
}

type Dialog = 'change' | 'remove' | 'send'

function Head({ site, reload }: { readonly site: Site; readonly reload: () => void }) {
  const [dialog, setDialog] = useState<Dialog>()
  const close = () => setDialog(undefined)
  return (
    <>
      <PageHead
        title={site.name}
        about={site.address}
        actions={
          may('write:charge_points') && (
            <>
              {site.is_managed && (
                <Button icon="refresh-cw" onClick={() => setDialog('send')}>
                  Send the limits again
                </Button>
              )}
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
      {dialog === 'change' && <SiteDialog site={site} close={close} done={reload} />}
      {dialog === 'remove' && <Remove site={site} close={close} />}
      {dialog === 'send' && <SendAgain site={site} close={close} />}
    </>
  )
}

interface OfSite {
  readonly site: Site
  readonly close: () => void
}

function Remove({ site, close }: OfSite) {
  const [, navigate] = useLocation()
  const { site_id, name, charger_count: count } = site
  return (
    <Ask
      title={`Delete ${name}?`}
      does="Delete the site"
      danger
      {...(count > 0 && { word: name.trim() })}
      close={close}
      run={async () => {
        await ask(api.DELETE('/api/v1/sites/{site_id}', { params: { path: { site_id } } }))
        toast(`${name} is deleted.`)
        navigate('/sites')
      }}
    >
      <p>
        {count === 0
          ? 'No charge point is linked to it.'
          : `${count === 1 ? 'Its charge point is unlinked, and charges' : `Its ${count} charge points are unlinked, and charge`} without the limits of the site from then on.`}{' '}
        Its energy assets and its sharing of power are deleted with it. Its sessions are kept.
      </p>
    </Ask>
  )
}

function SendAgain({ site: { site_id }, close }: OfSite) {
  return (
    <Ask
      title="Send the limits again?"
      does="Send them"
      close={close}
      run={async () => {
        const params = { path: { site_id } }
        await ask(api.POST('/api/v1/smart-charging/sites/{site_id}/rebalance', { params }))
        toast('The limits are being sent.')
      }}
    >
      <p>
        Limits are computed and sent whenever something changes. This also sends those that are in force already, such
        as to a charge point that has lost its limit.
      </p>
    </Ask>
  )
}
