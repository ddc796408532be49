// What sums of sessions consist of, on invoices and in reports.

import { Type } from 'typebox'

export const amounts = {
  energy_kwh: Type.Number({ description: 'The energy as measured.' }),
  subtotal: Type.Number(),
  adjustments: Type.Number({ description: 'What billing rules have added or subtracted.' }),
  tax: Type.Number(),
  total: Type.Number({ description: 'The sum of subtotal, adjustments and tax.' }),
}

/** Energy is shown in kWh, and stored in Wh. */
export const inKwh = <Row extends { readonly energy_wh: number }>({ energy_wh, ...row }: Row) => ({
  ...row,
  energy_kwh: energy_wh / 1_000,
})
