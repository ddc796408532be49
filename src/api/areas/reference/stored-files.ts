// Files of the build that are served as they are: read once, compressed once and off the event loop, and told apart by their content,
// so that a client that has the newest one is sent nothing.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { Type } from 'typebox'
import { type Encoding, weightOfEncoding } from '../../pipeline/accepted-encoding.js'
import type { Answer } from '../../pipeline/route.js'

const gzipped = promisify(gzip)
const brotlied = promisify(brotliCompress)

/** Half a second of processor time for a megabyte; the highest takes four times as long for a twentieth less. */
const brotliQuality = 9

export const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
}

/** The headers of a request that decide how a file is sent. */
export const fileHeaders = Type.Object({
  'Accept-Encoding': Type.Optional(Type.String()),
  'If-None-Match': Type.Optional(Type.String()),
})

export interface FileRequest {
  readonly 'Accept-Encoding'?: string
  readonly 'If-None-Match'?: string
}

interface StoredFile {
  readonly plain: Uint8Array
  readonly contentType: string
  readonly tag: string
  /** As bytes, which all who are being sent them share; an encoding is made when somebody first takes it. */
  readonly encoded: Map<Encoding, Promise<Uint8Array>>
}

function encode(plain: Uint8Array, encoding: Encoding): Promise<Uint8Array> {
  if (encoding === 'gzip') return gzipped(plain)
  return brotlied(plain, {
    params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
  })
}

/** The one that is wanted most; of two, the smaller. */
function encodingFor(accepted: string | undefined): Encoding | undefined {
  const [brotli, gzip] = [weightOfEncoding(accepted, 'br'), weightOfEncoding(accepted, 'gzip')]
  if (brotli === 0 && gzip === 0) return undefined
  return brotli >= gzip ? 'br' : 'gzip'
}

/** Weak, because what is sent may be compressed (RFC 9110, 8.8.3). */
function isKnown(known: string | undefined, tag: string): boolean {
  return (known ?? '').split(',').some((one) => one.trim() === tag || one.trim() === '*')
}

export interface StoredFiles {
  /** The name of the file that is asked for as this; undefined if there is none. */
  find(name: string): string | undefined
  answer(file: string, request: FileRequest, headers: Readonly<Record<string, string>>): Promise<Answer>
}

/** The files of a folder that have a known type; pages are asked for without their ending. */
export function storedFiles(folder: string): StoredFiles {
  let names: ReadonlyMap<string, string> | undefined
  const files = new Map<string, StoredFile>()

  function read(file: string): StoredFile {
    let stored = files.get(file)
    if (stored === undefined) {
      const plain = readFileSync(join(folder, file))
      const tag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 16)}"`
      stored = { plain, contentType: contentTypes[extname(file)] as string, tag, encoded: new Map() }
      files.set(file, stored)
    }
    return stored
  }

  return {
    find(name) {
      names ??= new Map(
        readdirSync(folder)
          .filter((file) => extname(file) in contentTypes)
          .map((file) => [file.replace(/\.html$/, ''), file]),
      )
      return names.get(name)
    },
    async answer(file, request, more) {
      const { plain, contentType, tag, encoded } = read(file)
      const headers = { 'Cache-Control': 'no-cache', ETag: tag, Vary: 'Accept-Encoding', ...more }
      if (isKnown(request['If-None-Match'], tag)) return { status: 304, headers }
      const encoding = contentType === 'image/png' ? undefined : encodingFor(request['Accept-Encoding'])
      if (encoding === undefined) return { status: 200, body: plain, contentType, headers }
      const body = encoded.get(encoding) ?? encode(plain, encoding)
      encoded.set(encoding, body)
      return { status: 200, body: await body, contentType, headers: { ...headers, 'Content-Encoding': encoding } }
    },
  }
}
