// What the error codes of connectors (OCPP 1.6, 7.6) mean, and what to do about them, for somebody who knows none of them.

export interface FaultWords {
  /** What it means, before the code. */
  readonly means: string
  /** For somebody who knows nothing of it. */
  readonly toDo: string
}

const restart = 'Restart the charge point. If it comes again, have a technician look at it.'
const electrician = 'Nobody should charge here until an electrician has looked at it: do not restart it from afar.'

const faultWords: Readonly<Record<string, FaultWords>> = {
  ConnectorLockFailure: {
    means: 'The cable cannot be locked, or unlocked.',
    toDo: 'Press Unlock. If the cable stays, somebody at the charge point pulls the plug while it is pressed again.',
  },
  EVCommunicationError: {
    means: 'It cannot talk to the car.',
    toDo: 'The driver unplugs and plugs in again. If other cars fail as well, have a technician look at the cable.',
  },
  GroundFailure: {
    means: 'Its residual-current device has tripped: current may be leaking to earth.',
    toDo: electrician,
  },
  HighTemperature: {
    means: 'It is too hot inside.',
    toDo: 'Let it cool down. If it comes again, have a technician look at its fan and its filter.',
  },
  InternalError: { means: 'Something inside it has failed.', toDo: restart },
  LocalListConflict: {
    means: 'Its list of cards is not the one that we know.',
    toDo: 'Nothing has to be done: it asks us for each card until it has our list again.',
  },
  OtherError: { means: 'Something has failed that OCPP has no word for.', toDo: restart },
  OverCurrentFailure: { means: 'Its over-current protection has tripped.', toDo: electrician },
  OverVoltage: {
    means: 'The voltage is too high.',
    toDo: 'If others of the site say the same, call the grid operator. If not, have an electrician look at it.',
  },
  PowerMeterFailure: {
    means: 'Its meter cannot be read.',
    toDo: 'What it charges now cannot be billed. Restart it; if it comes again, have a technician replace the meter.',
  },
  PowerSwitchFailure: { means: 'Its power switch does not switch.', toDo: electrician },
  ReaderFailure: {
    means: 'Its card reader has failed.',
    toDo: 'Drivers can be started from here or by an app. Have a technician look at the reader.',
  },
  ResetFailure: {
    means: 'It could not restart.',
    toDo: 'Somebody at the site switches its power off and on again.',
  },
  UnderVoltage: {
    means: 'The voltage is too low.',
    toDo: 'If others of the site say the same, call the grid operator. If not, have an electrician look at it.',
  },
  WeakSignal: {
    means: 'Its wireless connection is weak.',
    toDo: 'Nothing has to be done while it stays connected. If it often goes away, have its aerial or its SIM card changed.',
  },
}
const otherFault: FaultWords = { means: 'It reports an error.', toDo: restart }

export const faultWordsOf = (code: string | null): FaultWords => faultWords[code ?? ''] ?? otherFault

/** A restart puts the voltage on again. */
export const needsElectrician = (code: string | null): boolean => faultWordsOf(code).toDo === electrician
