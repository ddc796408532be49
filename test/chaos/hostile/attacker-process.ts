// One of the processes that attack: it runs what its parent names, until it is stopped. With nothing to attack it turns in circles, so
// that the calm beside it is measured on processors that are as busy.

import { createAttacker, type StoppableAttacker, type Target } from './attacker.js'
import { attacks } from './attacks/index.js'
import { serveParent, yieldProcessors } from './helper-process.js'

export type AttackerRequest =
  | { readonly type: 'attack'; readonly name: string; readonly target: Target }
  /** Keeps a processor busy without a word to anybody. */
  | { readonly type: 'idle' }
  | { readonly type: 'stop' }

/** What was counted, by what it is. */
export type AttackerReply = Readonly<Record<string, number>>

interface Work {
  stop(): AttackerReply
  readonly ended: Promise<void>
}

let work: Work | undefined

function attack(name: string, target: Target): Work {
  const found = attacks.find((attack) => attack.name === name)
  if (found === undefined) throw new Error(`there is no attack ${name}`)
  const attacker: StoppableAttacker = createAttacker(target)
  return { stop: () => attacker.stop(), ended: found.run(attacker) }
}

const turnMs = 5

function turnInCircles(): Work {
  let turning = true
  async function turn(): Promise<void> {
    while (turning) {
      const until = performance.now() + turnMs
      while (performance.now() < until);
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const ended = turn()
  return {
    ended,
    stop() {
      turning = false
      return {}
    },
  }
}

yieldProcessors()
serveParent<AttackerRequest, AttackerReply>(async (request) => {
  switch (request.type) {
    case 'attack':
      work = attack(request.name, request.target)
      work.ended.catch((error: unknown) => console.error(error))
      return {}
    case 'idle':
      work = turnInCircles()
      return {}
    case 'stop': {
      const counts = work?.stop() ?? {}
      await work?.ended
      work = undefined
      return counts
    }
  }
})
