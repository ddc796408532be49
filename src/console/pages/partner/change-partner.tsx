// What a roaming partner is called, sees and may do. The request replaces all of it, so that all of it is in the form.

import { api, ask } from '../../client/api.js'
import { FormDialog, type FormField, type FormValues, textIn, wordsIn } from '../../parts/form.js'
import type { Partner } from './here.js'

const yesOrNo = (yes: string, no: string) => [
  { value: 'true', name: yes },
  { value: 'false', name: no },
]

const fieldsOf = (values: FormValues): readonly FormField[] => [
  { name: 'name', label: 'Name' },
  { name: 'sees', label: 'Locations that it sees', options: yesOrNo('All that are published', 'Only these') },
  ...(values.sees === 'false'
    ? [
        {
          name: 'location_ids',
          label: 'Ids of the locations',
          lines: 4,
          mono: true,
          optional: true,
          hint: 'One in a line, as they are called under Locations. Without any, the partner sees none.',
        },
      ]
    : []),
  { name: 'buys', label: 'Tariffs that it sees', options: yesOrNo('All that OCPI can express', 'Only these') },
  ...(values.buys === 'false'
    ? [{ name: 'tariff_ids', label: 'Ids of the tariffs', lines: 4, mono: true, optional: true }]
    : []),
  {
    name: 'commands',
    label: 'Commands of the partner',
    options: yesOrNo(
      'It may start and stop charges, reserve, unlock and set charging profiles',
      'It may send no command',
    ),
  },
  {
    name: 'realtime_unknown_tokens',
    label: 'A token that nobody has sent',
    options: yesOrNo('The partner is asked about it in real time', 'It is refused without asking the partner'),
  },
  {
    name: 'token_encoding',
    label: 'How the token is sent to the partner',
    options: [
      { value: 'base64', name: 'In base64, as OCPI 2.2.1 has it' },
      { value: 'plain', name: 'As it is' },
    ],
    hint: 'A registration finds out which of the two the partner takes.',
  },
]

interface ChangePartnerProps {
  readonly partner: Partner
  readonly close: () => void
  readonly done: () => void
}

export function ChangePartner({ partner, close, done }: ChangePartnerProps) {
  const { location_ids, tariff_ids } = partner
  return (
    <FormDialog
      title={`Change ${partner.name}`}
      does="Save"
      said={`${partner.name} is changed.`}
      fields={fieldsOf}
      begin={{
        name: partner.name,
        sees: String(location_ids === null),
        location_ids: location_ids?.join('\n') ?? '',
        buys: String(tariff_ids === null),
        tariff_ids: tariff_ids?.join('\n') ?? '',
        commands: String(partner.commands),
        realtime_unknown_tokens: String(partner.realtime_unknown_tokens),
        token_encoding: partner.token_encoding,
      }}
      close={close}
      run={async (values) => {
        const params = { path: { partner_id: partner.id } }
        const body = {
          name: textIn(values.name),
          location_ids: values.sees === 'true' ? null : wordsIn(values.location_ids),
          tariff_ids: values.buys === 'true' ? null : wordsIn(values.tariff_ids),
          commands: values.commands === 'true',
          realtime_unknown_tokens: values.realtime_unknown_tokens === 'true',
          token_encoding: values.token_encoding as Partner['token_encoding'],
        }
        await ask(api.PUT('/api/v1/ocpi/partners/{partner_id}', { params, body }))
        done()
      }}
    />
  )
}
