// RFC 6455 frames as a client sees them: reads the server's frames out of a shared buffer, builds its own.
// It knows no socket. Bytes handed to a callback are only valid during that call.

export interface FrameHandlers {
  /** One whole text message, fragments joined: UTF-8 bytes `start` to `end` of `buffer`. */
  text(buffer: Buffer, start: number, end: number): void
  ping(payload: Buffer): void
  pong(): void
  close(code: number, reason: string): void
  /** The server broke the protocol; `code` is the close code to answer with. */
  violation(code: number, reason: string): void
}

export interface FrameReader {
  read(chunk: Buffer, start: number, end: number): void
}

const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

export function createFrameReader(handlers: FrameHandlers, maximumMessageBytes: number): FrameReader {
  let pending: Buffer | undefined
  let fragments: Buffer[] | undefined
  let fragmentBytes = 0
  let stopped = false

  function violation(code: number, reason: string): false {
    stopped = true
    handlers.violation(code, reason)
    return false
  }

  function control(opcode: number, chunk: Buffer, start: number, end: number): boolean {
    if (opcode === opcodes.ping) handlers.ping(Buffer.from(chunk.subarray(start, end)))
    else if (opcode === opcodes.pong) handlers.pong()
    else if (opcode === opcodes.close) {
      stopped = true
      if (end - start < 2) handlers.close(1005, '')
      else handlers.close(chunk.readUInt16BE(start), chunk.toString('utf8', start + 2, end))
    } else return violation(1002, `unknown opcode ${opcode}`)
    return true
  }

  function data(opcode: number, final: boolean, chunk: Buffer, start: number, end: number): boolean {
    if (opcode === opcodes.binary) return violation(1003, 'binary message')
    if (opcode === opcodes.text && fragments !== undefined)
      return violation(1002, 'new message inside a fragmented one')
    if (opcode === opcodes.continuation && fragments === undefined) return violation(1002, 'continuation of nothing')
    if (opcode === opcodes.text && final) {
      handlers.text(chunk, start, end)
      return true
    }
    if (opcode > opcodes.continuation && opcode !== opcodes.text) return violation(1002, `unknown opcode ${opcode}`)
    fragments ??= []
    fragmentBytes += end - start
    if (fragmentBytes > maximumMessageBytes) return violation(1009, 'message too long')
    fragments.push(Buffer.from(chunk.subarray(start, end)))
    if (!final) return true
    const whole = Buffer.concat(fragments)
    fragments = undefined
    fragmentBytes = 0
    handlers.text(whole, 0, whole.length)
    return true
  }

  /** Reads whole frames; returns how far it came. */
  function frames(chunk: Buffer, start: number, end: number): number {
    let at = start
    while (!stopped && end - at >= 2) {
      const first = chunk[at] as number
      const second = chunk[at + 1] as number
      let length = second & 0x7f
      let payload = at + 2
      if (length === 126) {
        if (end - at < 4) break
        length = chunk.readUInt16BE(payload)
        payload += 2
      } else if (length === 127) {
        if (end - at < 10) break
        length = chunk.readUInt32BE(payload) * 4294967296 + chunk.readUInt32BE(payload + 4)
        payload += 8
      }
      if ((first & 0x70) !== 0) return violation(1002, 'reserved bits') ? at : end
      if ((second & 0x80) !== 0) return violation(1002, 'masked frame from a server') ? at : end
      if (length > maximumMessageBytes) return violation(1009, 'message too long') ? at : end
      const opcode = first & 0x0f
      const final = (first & 0x80) !== 0
      if (opcode >= 8 && (!final || length > 125)) return violation(1002, 'bad control frame') ? at : end
      if (end - payload < length) break
      const next = payload + length
      if (opcode >= 8) control(opcode, chunk, payload, next)
      else data(opcode, final, chunk, payload, next)
      at = next
    }
    return stopped ? end : at
  }

  return {
    read(chunk, start, end) {
      if (stopped) return
      if (pending === undefined) {
        const at = frames(chunk, start, end)
        if (at < end) pending = Buffer.from(chunk.subarray(at, end))
        return
      }
      const joined: Buffer = Buffer.concat([pending, chunk.subarray(start, end)])
      pending = undefined
      const at = frames(joined, 0, joined.length)
      if (at < joined.length) pending = joined.subarray(at)
    },
  }
}

// The mask of every client frame is zero. RFC 6455 wants masks that a web page cannot predict, to protect proxies from
// browsers; a test client has no such page, and a zero mask lets a text go out without being copied and rewritten.
const mask = '\0\0\0\0'
const shortHeaders = Array.from({ length: 126 }, (_, length) => `\x81${String.fromCharCode(0x80 | length)}${mask}`)

function textHeader(length: number): string {
  if (length < 126) return shortHeaders[length] as string
  if (length < 65_536) return `\x81\xfe${String.fromCharCode(length >> 8, length & 0xff)}${mask}`
  const high = Math.floor(length / 4294967296)
  const bytes = [high >>> 24, (high >>> 16) & 0xff, (high >>> 8) & 0xff, high & 0xff]
  const low = length >>> 0
  bytes.push(low >>> 24, (low >>> 16) & 0xff, (low >>> 8) & 0xff, low & 0xff)
  return `\x81\xff${String.fromCharCode(...bytes)}${mask}`
}

/** A text frame: a latin1 string when the text is ASCII (each character one byte on the wire), else bytes. */
export function textFrame(text: string): string | Buffer {
  const bytes = Buffer.byteLength(text)
  if (bytes === text.length) return textHeader(bytes) + text
  return Buffer.concat([Buffer.from(textHeader(bytes), 'latin1'), Buffer.from(text)])
}

/** A control frame of at most 125 bytes of payload. */
function controlFrame(opcode: number, payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | payload.length, 0, 0, 0, 0]), payload])
}

export function pingFrame(payload: Buffer = Buffer.alloc(0)): Buffer {
  return controlFrame(opcodes.ping, payload)
}

export function pongFrame(payload: Buffer): Buffer {
  return controlFrame(opcodes.pong, payload)
}

export function closeFrame(code: number, reason: string): Buffer {
  const text = Buffer.from(reason).subarray(0, 123)
  const payload = Buffer.alloc(2 + text.length)
  payload.writeUInt16BE(code)
  text.copy(payload, 2)
  return controlFrame(opcodes.close, payload)
}
