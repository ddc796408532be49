// What stands in a simulated city: models of makers that do not exist, as different as those of real ones.

export interface Model {
  readonly vendor: string
  readonly model: string
  /** The usual one first; an older one is found at some. */
  readonly firmwares: readonly [string, ...string[]]
  readonly connectors: number
  readonly kilowatts: number
  readonly phases: 1 | 3
  readonly isFast: boolean
  /** Of a hundred charge points, so many. */
  readonly share: number
}

export const models = [
  {
    vendor: 'Elbwerk',
    model: 'EC-22 Duo',
    firmwares: ['4.2.0', '4.1.7'],
    connectors: 2,
    kilowatts: 22,
    phases: 3,
    isFast: false,
    share: 46,
  },
  {
    vendor: 'Nordwerk',
    model: 'Pol 11',
    firmwares: ['2.9.0', '2.8.3'],
    connectors: 1,
    kilowatts: 11,
    phases: 3,
    isFast: false,
    share: 28,
  },
  {
    vendor: 'Kranich',
    model: 'K 50',
    firmwares: ['1.14.2'],
    connectors: 2,
    kilowatts: 50,
    phases: 3,
    isFast: true,
    share: 10,
  },
  {
    vendor: 'Havelwerk',
    model: 'HV-150',
    firmwares: ['7.0.4', '6.9.1'],
    connectors: 2,
    kilowatts: 150,
    phases: 3,
    isFast: true,
    share: 11,
  },
  {
    vendor: 'Havelwerk',
    model: 'HV-300',
    firmwares: ['7.1.0'],
    connectors: 2,
    kilowatts: 300,
    phases: 3,
    isFast: true,
    share: 5,
  },
] as const satisfies readonly Model[]
