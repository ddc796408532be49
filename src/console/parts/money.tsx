// An amount of money, with the decimals that the API has sent: none is rounded here.

import './money.css'
import { moneyText } from '../client/format.js'

/** `signed` shows the sign of what is more, and the colour of either. */
export function Amount({
  of,
  currency,
  signed = false,
}: {
  readonly of: string
  readonly currency?: string
  readonly signed?: boolean
}) {
  const isLess = of.startsWith('-')
  const isZero = !/[1-9]/.test(of)
  const text = currency === undefined ? moneyText(of, '').trim() : moneyText(of, currency)
  const kind = !signed || isZero ? '' : isLess ? 'less' : 'more'
  return (
    <span class={`amount ${kind}`} data-amount={of}>
      {signed && !isLess && !isZero ? `+${text}` : text.replace('-', '−')}
    </span>
  )
}

/** A number of the API as it would write it, with as many decimals as the currency has. */
export function amountOf(value: number, currency: string): string {
  const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
  const text = String(value)
  const decimals = text.split('.')[1]?.length ?? 0
  return value.toFixed(Math.max(decimals, maximumFractionDigits ?? 2))
}
