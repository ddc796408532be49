// What can be done with an endpoint and asks first: making and changing one, another secret, and events of a period once more.

import { useState } from 'preact/hooks'
import { api, ask, type Schema } from '../../client/api.js'
import { Ask } from '../../parts/ask.js'
import { Field } from '../../parts/field.js'
import { EventChoice } from './event-choice.js'

export type Endpoint = Schema<'WebhookEndpoint'>

const usualEvents = 'session.*, charge_point.*, alert.*'
const namesIn = (text: string): string[] => text.split(/[\s,]+/).filter((name) => name !== '')

export function EndpointDialog({
  endpoint,
  close,
  done,
}: {
  /** The one that is changed; without it, one is made. */
  readonly endpoint?: Endpoint
  readonly close: () => void
  readonly done: (endpoint: Endpoint, secret: string | undefined) => void
}) {
  const [url, setUrl] = useState(endpoint?.url ?? 'https://')
  const [events, setEvents] = useState(endpoint?.events.join(', ') ?? usualEvents)
  const [description, setDescription] = useState(endpoint?.description ?? '')
  const [format, setFormat] = useState<Endpoint['payload_format']>(endpoint?.payload_format ?? 'b')
  return (
    <Ask
      title={endpoint === undefined ? 'A new endpoint' : 'Change the endpoint'}
      does={endpoint === undefined ? 'Make it' : 'Save'}
      whyNot={
        /^https?:\/\/[^/]/.test(url)
          ? namesIn(events).length === 0
            ? 'Choose the events that it is sent.'
            : undefined
          : 'The address has to begin with https://, and name a host.'
      }
      close={close}
      wide
      run={async () => {
        const body = {
          url,
          events: namesIn(events) as Endpoint['events'][number][],
          payload_format: format,
          ...(description.trim() !== '' && { description: description.trim() }),
        } as never
        if (endpoint === undefined) {
          const made = await ask(api.POST('/api/v1/webhooks/endpoints', { body }))
          done(made, made.secret ?? undefined)
        } else {
          const params = { path: { endpoint_id: endpoint.id } }
          done(await ask(api.PATCH('/api/v1/webhooks/endpoints/{endpoint_id}', { params, body })), undefined)
        }
      }}
    >
      <Field label="Address" path="/url" value={url} onChange={setUrl} mono autofocus hint="Events are posted to it." />
      <Field
        label="Events"
        path="/events"
        value={events}
        onChange={setEvents}
        mono
        lines={2}
        hint="Names, separated by commas. session.* is all of sessions, and * is everything."
      />
      <EventChoice chosen={namesIn(events)} choose={(names) => setEvents(names.join(', '))} />
      <Field label="What it is for" path="/description" value={description} onChange={setDescription} />
      <Field
        label="Form of the payload"
        path="/payload_format"
        value={format}
        onChange={(value) => setFormat(value as Endpoint['payload_format'])}
        options={[
          { value: 'b', name: 'B, the usual one: id, type, time and object' },
          { value: 'a', name: 'A, for receivers that ask for it: event, timestamp and data' },
        ]}
        hint="Both are signed in the same two ways: by Standard Webhooks, for which there are libraries (usual), and by X-Webhook-Signature."
      />
    </Ask>
  )
}

export function RotateDialog({
  endpoint,
  close,
  done,
}: {
  readonly endpoint: Endpoint
  readonly close: () => void
  readonly done: (secret: string) => void
}) {
  const [overlap, setOverlap] = useState('86400')
  return (
    <Ask
      title="Another secret"
      does="Make another secret"
      danger={overlap === '0'}
      close={close}
      run={async () => {
        const { secret } = await ask(
          api.POST('/api/v1/webhooks/endpoints/{endpoint_id}/rotate-secret', {
            params: { path: { endpoint_id: endpoint.id } },
            body: { overlap_seconds: Number(overlap) },
          }),
        )
        if (secret !== null) done(secret)
      }}
    >
      <p>Deliveries are signed with the new secret, and with the old one for as long as it stays valid.</p>
      <Field
        label="The old one stays valid"
        path="/overlap_seconds"
        value={overlap}
        onChange={setOverlap}
        options={[
          { value: '0', name: 'not at all: it has leaked' },
          { value: '3600', name: 'for an hour' },
          { value: '86400', name: 'for a day' },
          { value: '604800', name: 'for a week' },
        ]}
      />
    </Ask>
  )
}

export function ReplayDialog({
  endpoint,
  close,
  done,
}: {
  readonly endpoint: Endpoint
  readonly close: () => void
  readonly done: () => void
}) {
  const [hours, setHours] = useState('1')
  const [which, setWhich] = useState('failed')
  return (
    <Ask
      title="Send events again"
      does="Send them again"
      said="They are sent in their order, beside what is new."
      close={close}
      run={async () => {
        const from = new Date(Date.now() - Number(hours) * 3_600_000).toISOString()
        await ask(
          api.POST('/api/v1/webhooks/endpoints/{endpoint_id}/replay', {
            params: { path: { endpoint_id: endpoint.id } },
            body: { from, only_failed: which === 'failed' },
          }),
        )
        done()
      }}
    >
      <p>The receiver knows events that it has had by their id.</p>
      <Field
        label="Of the last"
        path="/from"
        value={hours}
        onChange={setHours}
        options={[
          { value: '1', name: 'hour' },
          { value: '6', name: '6 hours' },
          { value: '24', name: 'day' },
          { value: '168', name: 'week' },
        ]}
      />
      <Field
        label="Which"
        path="/only_failed"
        value={which}
        onChange={setWhich}
        options={[
          { value: 'failed', name: 'those whose delivery has failed' },
          { value: 'all', name: 'all that the endpoint is subscribed to' },
        ]}
      />
    </Ask>
  )
}
