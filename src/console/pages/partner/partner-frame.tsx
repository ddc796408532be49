// What stands above every page of a roaming partner: its name and state, what can be done with the connection, and the tabs.

import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import type { FrameProps } from '../../app/pages.js'
import { api, ask } from '../../client/api.js'
import { useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { Ask } from '../../parts/ask.js'
import { Button } from '../../parts/button.js'
import { Tag } from '../../parts/chip.js'
import { FormDialog, textIn } from '../../parts/form.js'
import { PageHead } from '../../parts/panel.js'
import { Loaded } from '../../parts/states.js'
import { Tabs } from '../../parts/tabs.js'
import { ChangePartner } from './change-partner.js'
import { HereContext, type Partner, statusKinds } from './here.js'
import { type Invitation, RegistrationToken, registrationFields } from './registration.js'

export function Frame({ params: { partner_id = '' }, tabs, children }: FrameProps) {
  const partner = useResource(
    (signal) => ask(api.GET('/api/v1/ocpi/partners/{partner_id}', { params: { path: { partner_id } }, signal })),
    [partner_id],
    { everySeconds: 10 },
  )
  return (
    <Loaded of={partner}>
      {(data) => (
        <HereContext.Provider value={data}>
          <Head partner={data} reload={partner.reload} />
          <Tabs label="Roaming partner" tabs={tabs} />
          {children}
        </HereContext.Provider>
      )}
    </Loaded>
  )
}

type Dialog = 'change' | 'register' | 'rotate' | 'invite' | 'remove'

function Head({ partner, reload }: { readonly partner: Partner; readonly reload: () => void }) {
  const [, navigate] = useLocation()
  const [dialog, setDialog] = useState<Dialog>()
  const [invited, setInvited] = useState<Invitation>()
  const close = () => setDialog(undefined)
  const { id, name, status } = partner
  const params = { path: { partner_id: id } }
  const isRegistered = status === 'registered'
  return (
    <>
      <PageHead
        title={name}
        about={<Tag kind={statusKinds[status]}>{status}</Tag>}
        actions={
          may('write:ocpi') && (
            <>
              {isRegistered ? (
                <Button icon="refresh-cw" onClick={() => setDialog('rotate')}>
                  Exchange new tokens
                </Button>
              ) : (
                <>
                  <Button icon="key-round" onClick={() => setDialog('invite')}>
                    New registration token
                  </Button>
                  <Button icon="link" onClick={() => setDialog('register')}>
                    Register there
                  </Button>
                </>
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
      {dialog === 'change' && <ChangePartner partner={partner} close={close} done={reload} />}
      {dialog === 'register' && (
        <FormDialog
          title={`Register at ${name}`}
          does="Register there"
          said="Both sides have each other's credentials."
          fields={registrationFields}
          close={close}
          run={async (values) => {
            const body = { versions_url: textIn(values.versions_url), token: textIn(values.token) }
            await ask(api.POST('/api/v1/ocpi/partners/{partner_id}/register', { params, body }))
            reload()
          }}
        />
      )}
      {dialog === 'rotate' && (
        <Ask
          title={`Exchange new tokens with ${name}?`}
          does="Exchange them"
          said="Both sides have new tokens."
          close={close}
          run={async () => {
            await ask(api.POST('/api/v1/ocpi/partners/{partner_id}/rotate-credentials', { params }))
            reload()
          }}
        >
          <p>
            The partner is sent a new token, and answers with one of its own; its modules are read again. The old tokens
            stay valid for a minute, and until the partner has used the new one.
          </p>
        </Ask>
      )}
      {dialog === 'invite' && (
        <Ask
          title="Create another registration token?"
          does="Create it"
          close={close}
          run={async () => {
            setInvited(await ask(api.POST('/api/v1/ocpi/partners/{partner_id}/token', { params })))
            reload()
          }}
        >
          <p>The registration token that was created before it is not valid any more.</p>
        </Ask>
      )}
      {dialog === 'remove' && (
        <Ask
          title={`Delete ${name}?`}
          does="Delete the partner"
          said={`${name} is deleted.`}
          danger
          {...(isRegistered && { word: name.trim() })}
          close={close}
          run={async () => {
            await ask(api.DELETE('/api/v1/ocpi/partners/{partner_id}', { params }))
            navigate('/roaming')
          }}
        >
          <p>
            {isRegistered
              ? 'The connection ends at once, and the partner is told: its drivers cannot start a charge here any more. '
              : 'Its registration token is not valid any more. '}
            The tokens of its drivers, the log of exchanges and what was still to be sent to it are deleted. Its
            sessions and bills are kept; charges that run go on.
          </p>
        </Ask>
      )}
      {invited !== undefined && <RegistrationToken of={invited} close={() => setInvited(undefined)} />}
    </>
  )
}
