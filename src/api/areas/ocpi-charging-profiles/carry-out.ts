// What is done once a request was accepted: the site takes the profile as a bound of the charge, or the charge point is sent it.

import { type ProfileReply, profileWakeUp, siteAddress } from '../../../actors/site/messages.js'
import type {
  ActiveChargingProfileResult,
  ChargingProfile,
  ChargingProfileResult,
  ChargingProfileResultType,
} from '../../../ocpi/schemas/charging-profile.js'
import type { OcppCall } from '../../../ocpp16/index.js'
import type { ChargeBound } from '../../../power/charge-bound.js'
import { ocpiChargingProfilesTable } from '../../../records/ocpi-charging-profile.js'
import { wakeUpsTable } from '../../../runtime/actor/wake-ups.js'
import { conflict } from '../../../runtime/errors.js'
import { putRow } from '../../pipeline/changes.js'
import { commitDraft } from '../../pipeline/commit-draft.js'
import type { Draft } from '../../pipeline/draft.js'
import type { Services } from '../../pipeline/services.js'
import type { OcpiPrincipal } from '../../surfaces/ocpi-token.js'
import { runCommand } from '../commands/run-command.js'
import { limits } from './limits.js'
import {
  activeProfileCall,
  activeProfileOf,
  boundOf,
  clearProfileCall,
  resultOf,
  setProfileCall,
} from './profile-calls.js'
import type { Asked, Refused } from './session-asked.js'

export type CarryOut = () => Promise<ChargingProfileResult | ActiveChargingProfileResult>

interface Request {
  readonly asked: Asked
  readonly principal: OcpiPrincipal
  readonly draft: Draft
  readonly services: Services
}

const of = (result: ChargingProfileResultType): ChargingProfileResult => ({ result })

/** What is kept now; the site hears of it by a wake-up that is stored with it. */
function keepAtSite({ asked, draft, services }: Request, siteId: string, profile: ChargeBound | undefined): string {
  const { row, session } = asked
  const request = services.newId('req')
  const { profile: _, ...others } = row
  draft.put(ocpiChargingProfilesTable, { ...others, ...(profile !== undefined && { profile }), set_by: request })
  const wakeUp = profileWakeUp(siteId, session.session_id, request, services.clock)
  draft.add({ changes: [putRow(wakeUpsTable, wakeUp)] })
  return wakeUp.reason
}

/** A site whose actor is between two lives finds it stored. */
async function tellSite(siteId: string, sessionId: string, wakeUp: string, services: Services): Promise<ProfileReply> {
  try {
    const message = { type: 'profile-changed', sessionId, wakeUp }
    return (await services.ask(siteAddress(siteId), message, limits.ocpiProfileSiteMs)) as ProfileReply
  } catch {
    return 'taken'
  }
}

/** What the charge point holds from now on; undefined where it holds none, `refused` where it takes none. */
async function keep({ asked, services }: Request, profile: ChargeBound | undefined | 'refused'): Promise<void> {
  const { partner_id, session_id } = asked.row
  const decide = (draft: Draft): void => {
    const row = draft.get(ocpiChargingProfilesTable, [partner_id, session_id])
    if (row === undefined) return
    const { profile: _, set_by: __, ...others } = row
    const set = profile === 'refused' ? {} : { profile, set_by: services.newId('req') }
    draft.put(ocpiChargingProfilesTable, { ...others, ...set })
  }
  const otherwise = () => conflict('the charging profile was changed several times at once')
  await commitDraft({ attempts: 5, decide, otherwise }, services)
}

async function call({ asked, principal, services }: Request, ocppCall: OcppCall) {
  const { organization, partner } = principal
  const { outcome } = await runCommand(
    { organization, name: `ocpi_partner:${partner.partner_id}` },
    {
      chargePointId: asked.session.charge_point_id,
      command: ocppCall.action,
      parameters: ocppCall.payload,
      call: ocppCall,
      timeoutMs: limits.ocpiProfileCallTimeoutMs,
    },
    services,
  )
  return outcome
}

export function setProfile(request: Request, profile: ChargingProfile): CarryOut | Refused {
  const { asked, draft, services } = request
  const { session, siteId, facts, row } = asked
  if (!asked.isOnline) return 'REJECTED'
  const bound = boundOf(profile, session)
  if (siteId === undefined) {
    draft.put(ocpiChargingProfilesTable, row)
    return async () => {
      const result = resultOf(await call(request, setProfileCall(profile, session, facts)))
      if (result === 'ACCEPTED') await keep(request, bound)
      return of(result === 'ACCEPTED' ? result : 'REJECTED')
    }
  }
  const wakeUp = keepAtSite(request, siteId, bound)
  return async () => {
    const reply = await tellSite(siteId, session.session_id, wakeUp, services)
    if (reply === 'taken') return of('ACCEPTED')
    await keep(request, 'refused')
    return of('REJECTED')
  }
}

export function clearProfile(request: Request): CarryOut | Refused {
  const { asked, draft, services } = request
  const { session, siteId, row } = asked
  if (siteId !== undefined && row.profile !== undefined) {
    const wakeUp = keepAtSite(request, siteId, undefined)
    return async () => {
      await tellSite(siteId, session.session_id, wakeUp, services)
      return of('ACCEPTED')
    }
  }
  if (siteId === undefined && !asked.isOnline) return 'REJECTED'
  draft.put(ocpiChargingProfilesTable, row)
  if (siteId !== undefined) return async () => of('UNKNOWN')
  return async () => {
    const result = resultOf(await call(request, clearProfileCall(session)))
    if (result !== 'REJECTED' && row.profile !== undefined) await keep(request, undefined)
    return of(result)
  }
}

export function readProfile(request: Request, seconds: number): CarryOut | Refused {
  const { asked, draft, services } = request
  if (!asked.isOnline) return 'REJECTED'
  draft.put(ocpiChargingProfilesTable, asked.row)
  return async () => {
    const duration = Math.min(seconds, limits.ocpiProfileAheadSeconds)
    const outcome = await call(request, activeProfileCall(asked.session, duration))
    const profile = activeProfileOf(outcome, services.clock.now())
    return profile === undefined ? of('REJECTED') : { result: 'ACCEPTED', profile }
  }
}
