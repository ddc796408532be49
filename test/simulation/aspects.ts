// What a world has beside charge points, operators and troubles: its seed decides, so that each kind of thing is in a share of the
// worlds, alone in some and together with the others in some. What all have would cost every world its time.

export interface Aspects {
  /** Webhook endpoints: they take as long to simulate as all the rest. */
  readonly webhooks: boolean
  /** Guests who pay by card, and the payment provider. */
  readonly guests: boolean
  /** The end of a month and of a week, with invoices, weekly reports and mail. */
  readonly periods: boolean
  /** Administrators at the API: charge points are removed, sessions closed, requests repeated. */
  readonly administrators: boolean
  /** A charge point that ends transactions which nobody has begun, one after another, as long as it is answered. */
  readonly excess: boolean
  /** Installers, who register charge points and commission them, and organizations that claim these. */
  readonly installers: boolean
  /** Sites whose power is shared among charge points of their own. */
  readonly sites: boolean
  /** A roaming partner, whose drivers charge among the others. */
  readonly partners: boolean
}

export const aspectNames = [
  'webhooks',
  'guests',
  'periods',
  'administrators',
  'excess',
  'installers',
  'sites',
  'partners',
] as const satisfies (keyof Aspects)[]
export type Aspect = (typeof aspectNames)[number]

/** `only`, when given, are those of the world instead of what its seed decides. */
export function aspectsOf(seed: number, only?: readonly Aspect[]): Aspects {
  if (only !== undefined)
    return Object.fromEntries(aspectNames.map((name) => [name, only.includes(name)])) as unknown as Aspects
  return {
    webhooks: seed % 5 === 0,
    guests: seed % 4 === 1,
    periods: seed % 3 === 2,
    administrators: seed % 2 === 0,
    excess: seed % 10 === 7,
    installers: seed % 9 === 3,
    sites: true,
    partners: seed % 25 === 18,
  }
}
