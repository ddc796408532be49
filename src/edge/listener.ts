// The OCPP side of the one listener: upgrades as the door decides, frames in and out, liveness, and the end of sockets.
// Knows the shape of a connection, nothing of what frames say.

import type { HttpRequest, HttpResponse, TemplatedApp, us_socket_context_t, WebSocket } from 'uWebSockets.js'
import { isUtf8 } from 'node:buffer'
import type { SocketDetails } from '../actors/charge-point/messages.js'
import type { ChargePoint } from '../records/charge-point.js'
import { applicationTo } from '../records/configuration.js'
import { configuredHeartbeatSeconds } from '../records/configured-heartbeat.js'
import type { FrontTransport } from '../runtime/link/front-transport.js'
import { numbered } from '../runtime/link/numbers.js'
import { mailboxFull } from '../runtime/link/wire.js'
import { afterTaking, type Rate } from '../runtime/token-bucket.js'
import type { AttemptLog } from './attempts.js'
import type { ConnectionLog } from './connection-log.js'
import { createDoor, type Decision, type DoorOptions, type UpgradeRequest } from './door.js'
import { createEndings, type Endings } from './endings.js'
import { type FrameRecorder, recordedName } from './frame-recorder.js'
import { hold, holdFrames } from './held-frames.js'
import { limits } from './limits.js'
import { judge, type Verdict } from './liveness.js'
import { createProbes } from './probes.js'
import { type Away, answerRefusal, away, unknownChargePoint } from './refusal.js'
import { type Socket, spokenWith } from './socket.js'
import { createSocketEpochs } from './socket-epochs.js'
import { beginRecord, endRecord, recordAs } from './socket-record.js'

export interface ListenerOptions extends DoorOptions {
  readonly front: number
  readonly transport: FrontTransport
  readonly attempts: AttemptLog
  readonly log: ConnectionLog
  readonly recorder: FrameRecorder
  /** A WebSocket is gone for good. */
  readonly socketClosed?: () => void
  /** Of the client, which may be behind proxies. */
  readonly clientAddress: (response: HttpResponse, request: HttpRequest) => string
}

export interface OcppListener {
  mount(app: TemplatedApp): void
  /** Those that are attached to their actors. */
  sockets(): Iterable<Socket>
  frame(connection: number, text: string): void
  /** Sends a ping; the charge point's actor is told what comes of it. */
  ping(connection: number): void
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

/** How many sockets one pass of watch() looks at, as a share of all: each is seen every few seconds. */
const watchShare = 0.25

const pingRate: Rate = { perSecond: limits.pingsPerSecond, burst: limits.pingBurst }

/** How long a peer may take to end a socket that we have closed. */
const closeWithinMs = 2_000

export function createOcppListener(options: ListenerOptions): OcppListener {
  const { settings, clock, transport, attempts, strangers, log, recorder } = options
  const sockets = new Map<number, Socket>()
  const liveness = {
    deadPeerSeconds: settings.dead_peer_seconds,
    heartbeatIntervalSeconds: settings.heartbeat_interval_seconds,
  }
  const frameRate: Rate = { perSecond: settings.frames_per_second, burst: settings.frame_burst }
  const byteRate: Rate = { perSecond: settings.bytes_per_second, burst: settings.byte_burst }
  const epochOf = createSocketEpochs(clock, options.view)
  const door = createDoor(options)
  const endings = createEndings(options)
  const probes = createProbes(clock, (socket, message) => transport.send(socket.address, message))
  let counter = 0
  let framesIn = 0
  let framesOut = 0
  let watched: Iterator<Socket> | undefined

  function note({ refused, shown, organizationId }: Away, remoteAddress: string): void {
    log.refused(shown, { ...refused, remoteAddress })
    if (refused.unlisted === true) {
      attempts.count(refused.reason)
      return
    }
    strangers.refused(remoteAddress, shown, refused.status)
    attempts.record({
      ...refused,
      chargePointId: shown,
      remoteAddress,
      ...(organizationId !== undefined && { organizationId }),
    })
  }

  /**
   * Answered once everything that was read with it has been parsed: uWebSockets.js drops the connection at a second upgrade behind it then,
   * and would end the process if the first one had ended the connection already.
   */
  function refuse(response: HttpResponse, refused: Away, remoteAddress: string): void {
    note(refused, remoteAddress)
    let isGone = false
    response.onAborted(() => {
      isGone = true
    })
    setImmediate(() => {
      if (!isGone) answerRefusal(response, refused.refused)
    })
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
    const chargePoint = adoption === 'saved' ? newcomer : door.chargePointOf(id)
    if (chargePoint === undefined) {
      note(away(id, unknownChargePoint), asked.remoteAddress)
      return endings.close(socket, 1008, unknownChargePoint.reason)
    }
    // Somebody else registered it meanwhile, and may have given it a password.
    const authentication = door.authenticated(chargePoint, asked)
    if (!authentication.ok) {
      note(away(id, authentication, chargePoint.organization_id), asked.remoteAddress)
      return endings.close(socket, 1008, authentication.reason)
    }
    const details = { ...socket.details, ...door.shownBy(authentication) }
    Object.assign(socket, spokenWith(chargePoint.charge_point_id), { details })
    recordAs(recorder, socket, chargePoint)
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
      authorizedTwice: linesOf(request, 'authorization') > 1,
      origin: request.getHeader('origin'),
      host: request.getHeader('host'),
      key: request.getHeader('sec-websocket-key'),
      remoteAddress: options.clientAddress(response, request),
      certificatePem: options.tls ? response.getX509Certificate() : '',
    }
    accept(response, context, asked, door.decide(asked))
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
      recordedName: recordedName(chargePoint),
      recorded: undefined,
      held: undefined,
      heardAt: now,
      pingedAt: now,
      answersPings: false,
      configuredHeartbeatSeconds: undefined,
      frames: now,
      bytes: now,
      pings: now,
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
    const frames = afterTaking(socket.frames, frameRate, now)
    if (frames === undefined) {
      endings.end(socket, 'too_many_messages')
      return
    }
    const bytes = afterTaking(socket.bytes, byteRate, now, message.byteLength)
    if (bytes === undefined) {
      endings.end(socket, 'too_many_bytes')
      return
    }
    socket.frames = frames
    socket.bytes = bytes
    // The buffer is uWebSockets.js's own and is gone after this call: the text is our copy.
    const text = textOf(message)
    log.frame(socket.address.id, 'received', text)
    if (socket.recorded !== undefined) recorder.frame(socket.recorded, 'in', text)
    forward(socket, text)
  }

  function forward(socket: Socket, text: string): void {
    const taken = socket.held === undefined ? transport.frame(socket, text) : hold(socket.held, text)
    if (!taken) endings.end(socket, transport.hasItsShare(socket) ? 'too_many_waiting' : 'too_much_waiting')
  }

  /** Returns false for one too many; its socket is gone then. */
  function takePing(socket: Socket): boolean {
    const now = clock.monotonic()
    socket.heardAt = now
    const pings = afterTaking(socket.pings, pingRate, now)
    if (pings === undefined) {
      // Without the close handshake: what is left of what it has sent is not even looked at.
      endings.cut(socket, 'too_many_pings')
      return false
    }
    socket.pings = pings
    return true
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

  /** One that seems gone may have been told to be silent for longer. */
  function verdictOn(socket: Socket, now: number): Verdict {
    const first = judge(socket, now, liveness)
    if (first !== 'gone') return first
    const application = applicationTo(door.chargePointOf(socket.address.id), options.view())
    socket.configuredHeartbeatSeconds = application && configuredHeartbeatSeconds(application)
    return judge(socket, now, liveness)
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
          beginRecord(recorder, socket)
        },
        message: receive,
        ping: (webSocket) => {
          takePing(webSocket.getUserData())
        },
        pong: (webSocket) => {
          const socket = webSocket.getUserData()
          if (!takePing(socket)) return
          socket.answersPings = true
          probes.answered(socket)
        },
        close(webSocket, code, message) {
          const socket = webSocket.getUserData()
          socket.webSocket = undefined
          probes.forget(socket)
          sockets.delete(socket.connection)
          options.socketClosed?.()
          const reason = socket.closing?.reason ?? Buffer.from(message).toString('utf8')
          if (socket.held === undefined) transport.detach(socket, socket.closing?.code ?? code, reason)
          log.disconnected(socket.address.id, socket.closing?.code ?? code, reason)
          endRecord(recorder, socket, { code: socket.closing?.code ?? code, reason })
        },
      })
    },
    frame(connection, text) {
      const socket = sockets.get(connection)
      if (socket?.webSocket === undefined || socket.closing !== undefined) return
      framesOut++
      log.frame(socket.address.id, 'sent', text)
      if (socket.recorded !== undefined) recorder.frame(socket.recorded, 'out', text)
      socket.webSocket.send(text, false, false)
    },
    ping(connection) {
      const socket = sockets.get(connection)
      if (socket?.webSocket !== undefined && socket.closing === undefined) probes.begin(socket)
    },
    close(connection, code, reason) {
      const socket = sockets.get(connection)
      if (socket === undefined) return
      if (reason === mailboxFull.reason) endings.end(socket, 'too_many_waiting')
      else endings.close(socket, code, reason)
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
        const verdict = verdictOn(socket, now)
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

function linesOf(request: HttpRequest, header: string): number {
  let lines = 0
  request.forEach((name) => {
    if (name === header) lines++
  })
  return lines
}

/** uWebSockets.js ends a socket whose text is not UTF-8. In binary frames it is taken for Latin 1, in which different bytes stay different. */
function textOf(message: ArrayBuffer): string {
  const bytes = Buffer.from(message)
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')
}
