// The tokens that a roaming partner has sent: whose they are, and whether they may charge.

import { api, ask, type Schema } from '../../client/api.js'
import { agoText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { Tag } from '../../parts/chip.js'
import { Field } from '../../parts/field.js'
import { List } from '../../parts/list.js'
import { useFilter, usePage } from '../../parts/pager.js'
import { Panel } from '../../parts/panel.js'
import { EmptyState } from '../../parts/states.js'
import type { Column } from '../../parts/table.js'
import { usePartner } from './here.js'

type Token = Schema<'RoamingToken'>

const perPage = 100

const whitelists: Readonly<Record<Token['whitelist'], string>> = {
  ALWAYS: 'never',
  ALLOWED: 'may be',
  ALLOWED_OFFLINE: 'while it is reachable',
  NEVER: 'each time',
}

const columns: readonly Column<Token>[] = [
  { id: 'uid', name: 'Token', width: 'minmax(140px, 1fr)', cell: ({ uid }) => <span class="mono">{uid}</span> },
  { id: 'type', name: 'Kind', width: '110px', wideOnly: true, cell: ({ type }) => type },
  {
    id: 'valid',
    name: 'Valid',
    width: '80px',
    cell: ({ valid }) => <Tag kind={valid ? 'ok' : 'bad'}>{valid ? 'yes' : 'no'}</Tag>,
  },
  {
    id: 'contract',
    name: 'Contract',
    width: 'minmax(140px, 1fr)',
    wideOnly: true,
    cell: ({ contract_id, issuer }) => (
      <span class="mono" title={`issued by ${issuer}`}>
        {contract_id}
      </span>
    ),
  },
  {
    id: 'party',
    name: 'Party',
    width: '90px',
    wideOnly: true,
    cell: ({ country_code, party_id }) => `${country_code}-${party_id}`,
  },
  {
    id: 'asked',
    name: 'Partner is asked',
    width: '150px',
    wideOnly: true,
    cell: ({ whitelist }) => <span title={whitelist}>{whitelists[whitelist]}</span>,
  },
  { id: 'received', name: 'Received', width: '110px', cell: ({ received_at: at }) => agoText(at) },
]

export function Page() {
  const { id } = usePartner()
  const [uid, setUid] = useFilter('uid')
  const [page] = usePage()
  const tokens = useResource(
    (signal) =>
      ask(
        api.GET('/api/v1/ocpi/partners/{partner_id}/tokens', {
          params: {
            path: { partner_id: id },
            query: { page, per_page: perPage, ...(uid !== undefined && { uid: uid.slice(0, 36) }) },
          },
          signal,
        }),
      ),
    [id, uid, page],
  )
  return (
    <Panel
      title="Tokens"
      hint={tokens.data === undefined ? undefined : String(tokens.data.total)}
      class="fills"
      actions={
        <Field
          label="Uid of a token"
          hideLabel
          placeholder="Whole uid"
          type="search"
          value={uid ?? ''}
          onChange={setUid}
        />
      }
    >
      <List
        label="Tokens"
        of={tokens}
        perPage={perPage}
        columns={columns}
        keyOf={(row) => `${row.country_code} ${row.party_id} ${row.uid} ${row.type}`}
        empty={
          <EmptyState icon="credit-card" title={uid === undefined ? 'No token has been sent' : 'No token has this uid'}>
            <span>
              {uid === undefined
                ? 'Tokens are read from the partner after its registration, if it offers the module, and come when they change.'
                : 'The partner has not sent it. Search for the whole uid, in upper or lower case.'}
            </span>
          </EmptyState>
        }
      />
    </Panel>
  )
}
