// The side of the generator that follows event streams: it reads each as fast as it comes. Latency is the time from an event to here.

import { get } from 'node:http'
import type { Measure } from './measure.js'

const createdAt = '"created_at":"'
const timestampCharacters = 24

/** Opens so many streams, which go on until the process ends; resolves when all have begun. */
export async function followEvents(url: string, key: string, streams: number, measure: Measure): Promise<void> {
  await Promise.all(Array.from({ length: streams }, () => follow(url, key, measure)))
}

function follow(url: string, key: string, measure: Measure): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` }
    get(`${url}/api/v1/events/stream`, { headers, agent: false }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`the stream was answered with ${response.statusCode}`))
      let rest = ''
      response.setEncoding('latin1')
      response.on('data', (chunk: string) => {
        const text = rest + chunk
        const end = text.lastIndexOf('\n\n')
        rest = text.slice(end === -1 ? 0 : end)
        if (end === -1) return
        const now = Date.now()
        for (let at = text.indexOf(createdAt); at !== -1 && at < end; at = text.indexOf(createdAt, at + 1)) {
          const from = at + createdAt.length
          measure.succeeded((now - Date.parse(text.slice(from, from + timestampCharacters))) * 1_000)
        }
      })
      response.on('close', () => measure.failed('a stream has ended'))
      resolve()
    }).on('error', reject)
  })
}
