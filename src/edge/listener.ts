// The OCPP side of the one listener: the upgrade and its refusals, frames in and out, liveness, and the end of sockets.
// Knows the shape of a connection, nothing of what frames say.

import type { HttpRequest, HttpResponse, TemplatedApp, us_socket_context_t, WebSocket } from 'uWebSockets.js'
import type { SocketDetails } from '../actors/charge-point/messages.js'
import { type ChargePoint, chargePointsTable, reservedIds } from '../records/charge-point.js'
import { chargePointStatesTable } from '../records/charge-point-state.js'
import type { Clock } from '../runtime/clock.js'
import type { FrontTransport } from '../runtime/link/front-transport.js'
import { numbered } from '../runtime/link/numbers.js'
import type { ReadView } from '../runtime/store/store.js'
import { fullBucket, type Rate, takeTokens } from '../runtime/token-bucket.js'
import type { Settings } from '../settings.js'
import type { AdmissionControl } from './admission.js'
import type { AttemptLog } from './attempts.js'
import { type Authentication, authenticate } from './authenticate.js'
import type { ConnectionLog } from './connection-log.js'
import { createEndings, type Endings } from './endings.js'
import { hold, holdFrames } from './held-frames.js'
import { readIdentity } from './identity.js'
import { limits } from './limits.js'
import { judge } from './liveness.js'
import { type Away, answerRefusal, away, reservedIdentity, unknownChargePoint } from './refusal.js'
import type { Registrar } from './registrar.js'
import { type Socket, spokenWith } from './socket.js'
import { createSocketEpochs } from './socket-epochs.js'
import { chooseSubprotocol } from './subprotocol.js'

export interface ListenerOptions {
  readonly front: number
  /** Which life of which node this is. */
  readonly incarnation: number
  readonly settings: Settings
  readonly tls: boolean
  readonly clock: Clock
  readonly view: () => ReadView
  readonly transport: FrontTransport
  readonly admission: AdmissionControl
  readonly attempts: AttemptLog
  readonly draining: () => boolean
  readonly registrar: Registrar
  readonly log: ConnectionLog
  /** Of the client, which may be behind proxies. */
  readonly clientAddress: (response: HttpResponse, request: HttpRequest) => string
}

export interface OcppListener {
  mount(app: TemplatedApp): void
  /** Those that are attached to their actors. */
  sockets(): Iterable<Socket>
  frame(connection: number, text: string): void
  close(connection: number, code: number, reason: string): void
  closeAll(code: number, reason: string): void
  /** Pings and buries; call once a second. */
  watch(): void
  readonly size: number
  readonly framesIn: number
  readonly framesOut: number
  /** Sockets that the service has ended by itself, by why. */
  readonly ended: Endings['counts']
}

/** What an upgrade asks, copied: uWebSockets.js's own request is gone after its handler. */
interface UpgradeRequest {
  readonly target: string
  readonly subprotocols: string
  readonly authorization: string
  readonly key: string
  readonly remoteAddress: string
  readonly certificatePem: string
}

type Decision =
  | {
      readonly ok: true
      readonly chargePoint: ChargePoint
      readonly details: SocketDetails
      /** It is not registered yet: nothing reaches its actor before it is. */
      readonly newcomer: boolean
    }
  | Away

/** How many sockets one pass of watch() looks at, as a share of all: each is seen every few seconds. */
const watchShare = 0.25

const pingRate: Rate = { perSecond: limits.pingsPerSecond, burst: limits.pingBurst }

/** How long a peer may take to end a socket that we have closed. */
const closeWithinMs = 2_000

export function createOcppListener(options: ListenerOptions): OcppListener {
  const { settings, clock, transport, attempts, admission, log } = options
  const sockets = new Map<number, Socket>()
  const liveness = {
    deadPeerSeconds: settings.dead_peer_seconds,
    heartbeatIntervalSeconds: settings.heartbeat_interval_seconds,
  }
  const frameRate: Rate = { perSecond: settings.frames_per_second, burst: settings.frame_burst }
  const epochOf = createSocketEpochs(clock, options.view)
  const endings = createEndings(clock, admission)
  let counter = 0
  let framesIn = 0
  let framesOut = 0
  let watched: Iterator<Socket> | undefined

  function note({ refused, shown, organizationId }: Away, remoteAddress: string): void {
    log.refused(shown, { ...refused, remoteAddress })
    attempts.record({
      ...refused,
      chargePointId: shown,
      remoteAddress,
      ...(organizationId !== undefined && { organizationId }),
    })
  }

  function refuse(response: HttpResponse, refused: Away, remoteAddress: string): void {
    note(refused, remoteAddress)
    answerRefusal(response, refused.refused)
  }

  function chargePointOf(id: string): ChargePoint | undefined {
    const view = options.view()
    return (
      view.get(chargePointsTable, [id]) ??
      view.listBy(chargePointsTable, 'byFoldedId', [id.toLowerCase()], { limit: 1 })[0]
    )
  }

  /** Only a listener that asks for certificates can hold a charge point to the one it has shown before. */
  function owesCertificate({ charge_point_id: id }: ChargePoint): boolean {
    if (settings.tls_client_ca_file === undefined) return false
    return options.view().get(chargePointStatesTable, [id])?.presented_certificate === true
  }

  function authenticated(chargePoint: ChargePoint, asked: UpgradeRequest): Authentication {
    const owes = owesCertificate(chargePoint)
    return authenticate(chargePoint, {
      ...asked,
      tls: options.tls,
      owesCertificate: owes,
      cpoName: settings.cpo_name,
    })
  }

  /** Everything that must hold before a socket is accepted, cheapest first. */
  function decide(asked: UpgradeRequest): Decision {
    const identity = readIdentity(asked.target)
    const shown = identity.ok ? identity.chargePointId : identity.shown
    if (options.draining()) {
      return away(shown, {
        status: 503,
        reason: 'shutting_down',
        advice: 'The service is stopping.',
        retryAfterSeconds: 5,
      })
    }
    const again = admission.admitAgain(shown)
    if (!again.ok) return away(shown, { status: 503, ...again })
    const admitted = admission.admit()
    if (!admitted.ok) return away(shown, { status: 503, ...admitted })
    if (!identity.ok) return away(shown, identity)
    const registered = chargePointOf(identity.chargePointId)
    if (registered === undefined && reservedIds.has(identity.chargePointId)) return away(shown, reservedIdentity)
    const adopts = settings.unknown_charge_points === 'accept'
    const chargePoint = registered ?? (adopts ? options.registrar.newcomer(identity.chargePointId) : undefined)
    if (chargePoint === undefined) return away(shown, unknownChargePoint)
    const owner = chargePoint.organization_id
    const subprotocol = chooseSubprotocol(asked.subprotocols, settings.require_subprotocol)
    if (!subprotocol.ok) return away(shown, { status: 400, ...subprotocol }, owner)
    const authentication = authenticated(chargePoint, asked)
    if (!authentication.ok) return away(shown, authentication, owner)
    const calm = admission.admitChargePoint(chargePoint.charge_point_id)
    if (!calm.ok) return away(shown, { status: 503, ...calm }, owner)
    if (authentication.usedNewKey && chargePoint.previous_authorization_key !== undefined)
      options.registrar.retirePreviousKey(chargePoint)
    const { securityProfile, certificateExpiresAt } = authentication
    const details = {
      incarnation: options.incarnation,
      remoteAddress: asked.remoteAddress,
      subprotocol: subprotocol.echo,
      securityProfile,
      connectedAt: clock.now(),
      ...(certificateExpiresAt !== undefined && { certificateExpiresAt }),
    }
    return { ok: true, chargePoint, details, newcomer: registered === undefined }
  }

  function accept(
    response: HttpResponse,
    context: us_socket_context_t,
    asked: UpgradeRequest,
    decision: Decision,
  ): void {
    if (!decision.ok) {
      refuse(response, decision, asked.remoteAddress)
      return
    }
    const socket = newSocket(decision.chargePoint, decision.details)
    if (decision.newcomer) socket.held = holdFrames()
    // No extensions: compression is off, because some firmware breaks on the offer's answer (OCPP-J 1.6, 5.1).
    response.upgrade(socket, asked.key, decision.details.subprotocol, '', context)
    // uWebSockets.js makes an object of its own of what it is given.
    const opened = sockets.get(socket.connection)
    if (decision.newcomer && opened !== undefined) void introduce(opened, decision.chargePoint, asked)
  }

  /**
   * A charge point that registers itself: its socket is attached, and what it has sent is handled, once the registration is on
   * disk. The upgrade does not wait: a late one cannot be corked.
   */
  async function introduce(socket: Socket, newcomer: ChargePoint, asked: UpgradeRequest): Promise<void> {
    const adoption = await options.registrar.adopt(newcomer)
    if (socket.webSocket === undefined || socket.closing !== undefined) return
    const { charge_point_id: id } = newcomer
    if (adoption === 'not-stored')
      return endings.close(socket, 1013, 'the registration could not be stored: try again later')
    const chargePoint = adoption === 'saved' ? newcomer : chargePointOf(id)
    if (chargePoint === undefined) {
      note(away(id, unknownChargePoint), asked.remoteAddress)
      return endings.close(socket, 1008, unknownChargePoint.reason)
    }
    // Somebody else registered it meanwhile, and may have given it a password.
    const authentication = authenticated(chargePoint, asked)
    if (!authentication.ok) {
      note(away(id, authentication, chargePoint.organization_id), asked.remoteAddress)
      return endings.close(socket, 1008, authentication.reason)
    }
    Object.assign(socket, spokenWith(chargePoint.charge_point_id))
    const texts = socket.held?.texts ?? []
    socket.held = undefined
    transport.attach(socket)
    for (const text of texts) if (socket.closing === undefined) forward(socket, text)
  }

  function upgrade(response: HttpResponse, request: HttpRequest, context: us_socket_context_t): void {
    const asked: UpgradeRequest = {
      target: request.getUrl(),
      subprotocols: request.getHeader('sec-websocket-protocol'),
      authorization: request.getHeader('authorization'),
      key: request.getHeader('sec-websocket-key'),
      remoteAddress: options.clientAddress(response, request),
      certificatePem: options.tls ? response.getX509Certificate() : '',
    }
    accept(response, context, asked, decide(asked))
  }

  function newSocket(chargePoint: ChargePoint, details: SocketDetails): Socket {
    const now = clock.monotonic()
    return {
      connection: numbered(options, ++counter),
      ...spokenWith(chargePoint.charge_point_id),
      epoch: epochOf(chargePoint.charge_point_id),
      details,
      pingIntervalSeconds: chargePoint.ping_interval_seconds ?? settings.ping_interval_seconds,
      webSocket: undefined,
      held: undefined,
      heardAt: now,
      pingedAt: now,
      answersPings: false,
      frames: fullBucket(frameRate, now),
      pings: fullBucket(pingRate, now),
      closing: undefined,
    }
  }

  function receive(webSocket: WebSocket<Socket>, message: ArrayBuffer): void {
    const socket = webSocket.getUserData()
    if (socket.closing !== undefined) return
    const now = clock.monotonic()
    socket.heardAt = now
    framesIn++
    if (message.byteLength > limits.frameBytes) {
      endings.end(socket, 'message_too_big')
      return
    }
    if (!takeTokens(socket.frames, frameRate, now)) {
      endings.end(socket, 'too_many_messages')
      return
    }
    // The buffer is uWebSockets.js's own and is gone after this call: the text is our copy.
    const text = Buffer.from(message).toString('utf8')
    log.frame(socket.address.id, 'received', text)
    forward(socket, text)
  }

  function forward(socket: Socket, text: string): void {
    const taken = socket.held === undefined ? transport.frame(socket, text) : hold(socket.held, text)
    if (!taken) endings.end(socket, 'too_much_waits')
  }

  /** Returns false for one too many; its socket is gone then. */
  function takePing(socket: Socket): boolean {
    const now = clock.monotonic()
    socket.heardAt = now
    if (takeTokens(socket.pings, pingRate, now)) return true
    // Without the close handshake: what is left of what it has sent is not even looked at.
    endings.cut(socket, 'too_many_pings')
    return false
  }

  /** In rounds, each over the sockets that were there when it began: where many come and go, the others have their turn. */
  function* endlessly(): Iterator<Socket> {
    while (sockets.size > 0) {
      const newest = counter
      for (const socket of sockets.values()) {
        if (socket.connection > numbered(options, newest)) break
        yield socket
      }
    }
  }

  function* attached(): Iterable<Socket> {
    for (const socket of sockets.values()) if (socket.held === undefined) yield socket
  }

  return {
    sockets: attached,
    mount(app) {
      app.ws<Socket>('/*', {
        maxPayloadLength: limits.unreadableFrameBytes,
        maxBackpressure: limits.socketBackpressureBytes,
        closeOnBackpressureLimit: true,
        idleTimeout: 0,
        sendPingsAutomatically: false,
        compression: 0,
        upgrade,
        open(webSocket) {
          const socket = webSocket.getUserData()
          socket.webSocket = webSocket
          sockets.set(socket.connection, socket)
          if (socket.held === undefined) transport.attach(socket)
          log.connected(socket.address.id, socket.details)
        },
        message: receive,
        ping: (webSocket) => {
          takePing(webSocket.getUserData())
        },
        pong: (webSocket) => {
          const socket = webSocket.getUserData()
          if (takePing(socket)) socket.answersPings = true
        },
        close(webSocket, code, message) {
          const socket = webSocket.getUserData()
          socket.webSocket = undefined
          sockets.delete(socket.connection)
          const reason = socket.closing?.reason ?? Buffer.from(message).toString('utf8')
          if (socket.held === undefined) transport.detach(socket, socket.closing?.code ?? code, reason)
          log.disconnected(socket.address.id, socket.closing?.code ?? code, reason)
        },
      })
    },
    frame(connection, text) {
      const socket = sockets.get(connection)
      if (socket?.webSocket === undefined || socket.closing !== undefined) return
      framesOut++
      log.frame(socket.address.id, 'sent', text)
      socket.webSocket.send(text, false, false)
    },
    close(connection, code, reason) {
      const socket = sockets.get(connection)
      if (socket !== undefined) endings.close(socket, code, reason)
    },
    closeAll(code, reason) {
      for (const socket of [...sockets.values()]) endings.close(socket, code, reason)
    },
    watch() {
      const now = clock.monotonic()
      for (let left = Math.ceil(sockets.size * watchShare); left > 0; left--) {
        watched ??= endlessly()
        const { value: socket, done } = watched.next()
        if (done === true || socket === undefined) {
          watched = undefined
          break
        }
        if (socket.closing !== undefined) {
          // A peer that does not read does not take the close frame either.
          if (now - socket.closing.at > closeWithinMs) socket.webSocket?.close()
          continue
        }
        const verdict = judge(socket, now, liveness)
        if (verdict === 'gone') endings.cut(socket, 'no_sign_of_life')
        else if (verdict === 'ping') {
          socket.pingedAt = now
          socket.webSocket?.ping()
        }
      }
    },
    get size() {
      return sockets.size
    },
    get framesIn() {
      return framesIn
    },
    get framesOut() {
      return framesOut
    },
    ended: endings.counts,
  }
}
