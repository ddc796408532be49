// What one operator command is: its name, its parameters, and the OCPP call that it becomes.

import type { Static, TObject } from 'typebox'
import type { OcppCall } from '../../ocpp16/index.js'
import type { Scope } from '../../records/api-key.js'
import type { ChargePoint } from '../../records/charge-point.js'

export interface CommandDefinition<Parameters extends TObject> {
  readonly name: string
  readonly summary: string
  readonly parameters: Parameters
  /** A scope that suffices for this command, beside those that suffice for all. */
  readonly scope?: Scope
  /** `now` in ms since the epoch, for what needs a time on the wire. The parameters fit the schema. */
  call(parameters: Static<Parameters>, chargePoint: ChargePoint, now: number): OcppCall
}

/** An operator command with its types forgotten: callers validate against `parameters` first. */
export interface OperatorCommand {
  readonly name: string
  readonly summary: string
  readonly parameters: TObject
  readonly scope: Scope | undefined
  readonly call: (parameters: unknown, chargePoint: ChargePoint, now: number) => OcppCall
}

export function defineCommand<Parameters extends TObject>(definition: CommandDefinition<Parameters>): OperatorCommand {
  const { name, summary, parameters, scope } = definition
  return {
    name,
    summary,
    parameters,
    scope,
    call: (given, chargePoint, now) => definition.call(given as Static<Parameters>, chargePoint, now),
  }
}
