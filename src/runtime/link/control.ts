// The control plane between threads: seldom used calls (drain, statistics, faults) as remote functions over a port of their own.

import type { MessagePort } from 'node:worker_threads'
import comlink, { type Endpoint, type Remote } from 'comlink'

export type { Remote } from 'comlink'

/** Answers calls that come over the port with the functions of `api`. */
export function exposeControl(api: object, port: MessagePort): void {
  comlink.expose(api, port as unknown as Endpoint)
}

/** The functions that the other end of the port has exposed. */
export function remoteControl<Api>(port: MessagePort): Remote<Api> {
  return comlink.wrap<Api>(port as unknown as Endpoint)
}

/** A port that goes over with the call, as one of its arguments. */
export function handOver(port: MessagePort): MessagePort {
  return comlink.transfer(port, [port as never])
}
