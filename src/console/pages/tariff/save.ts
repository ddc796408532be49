// How a tariff is saved and tried: what of it is sent, and where in it something was refused.

import { api, ask, placed, randomKey } from '../../client/api.js'
import { asApiError } from '../../client/resource.js'
import { previewPeriod, type Simulation } from '../../parts/simulation.js'
import { sentBands, sentSchedule, sentTariff, type TariffDraft } from './draft.js'

export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

export interface Sent {
  readonly tariff: ReturnType<typeof sentTariff>
  readonly bands: ReturnType<typeof sentBands>
  readonly schedule: ReturnType<typeof sentSchedule>
}

export const sentOf = (draft: TariffDraft): Sent => ({
  tariff: sentTariff(draft),
  bands: sentBands(draft),
  schedule: sentSchedule(draft),
})

/** What the service has of a tariff. */
export interface Kept {
  id: string | undefined
  sent: Sent
  /** A new one is made once, however often it has to be asked for. */
  creation?: { readonly tariff: Sent['tariff']; readonly key: string }
  /** One save begins when the one before it has ended. */
  saving: Promise<unknown>
}

/**
 * What of it is another than the service has is sent, in the order in which the service takes it: bands before the entries that name them. `kept` follows:
 * where a part is refused, what came before it is not sent again.
 */
export async function save(kept: Kept, draft: TariffDraft): Promise<string> {
  const { tariff, bands, schedule } = sentOf(draft)
  const path = () => ({ params: { path: { tariff_id: kept.id ?? '' } } })
  if (kept.id === undefined) kept.id = await create(kept, tariff)
  else if (!isSame(tariff, kept.sent.tariff))
    await ask(api.PUT('/api/v1/billing/tariffs/{tariff_id}', { ...path(), body: tariff }))
  kept.sent = { ...kept.sent, tariff }
  if (!isSame(bands, kept.sent.bands))
    await placed(
      ask(api.POST('/api/v1/tariffs/{tariff_id}/rates', { ...path(), body: bands })),
      (place) => `/bands${place}`,
    )
  kept.sent = { ...kept.sent, bands }
  if (!isSame(schedule, kept.sent.schedule))
    await placed(
      ask(api.PUT('/api/v1/tariffs/{tariff_id}/schedule', { ...path(), body: schedule })),
      (place) => `/schedule${place}`,
    )
  kept.sent = { ...kept.sent, schedule }
  return kept.id
}

async function create(kept: Kept, tariff: Sent['tariff']): Promise<string> {
  if (!isSame(kept.creation?.tariff, tariff)) kept.creation = { tariff, key: randomKey() }
  const headers = { 'Idempotency-Key': kept.creation?.key }
  try {
    return (await ask(api.POST('/api/v1/billing/tariffs', { body: tariff, headers }))).tariff_id
  } catch (failure) {
    const { status } = asApiError(failure)
    // It was refused, and may be asked for anew; of any other, nobody knows what has become.
    if (status >= 400 && status < 500) delete kept.creation
    throw failure
  }
}

/** The value at the place of a fault: a fault holds as long as what it is about is as it was. */
export function valueAt({ tariff, bands, schedule }: Sent, place: string): unknown {
  return place
    .split('/')
    .slice(1)
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined | null)?.[name], {
      ...tariff,
      bands,
      schedule,
    })
}

export function preview(id: string | undefined, draft: TariffDraft): Promise<Simulation> {
  const { tariff: own, ...parts } = sentOf(draft)
  const tariff = { ...own, ...parts }
  return placed(
    ask(
      api.POST('/api/v1/billing/tariffs/simulate', {
        body: {
          tariff,
          ...previewPeriod(),
          changed_only: true,
          per_page: 10,
          ...(id !== undefined && { sessions_of_tariff_id: id }),
        },
      }),
    ),
    (place) => place.replace(/^\/tariff/, ''),
  )
}
