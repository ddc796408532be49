// A load generator process: takes requests from the bench over the fork's channel and reports on each. It is a process
// of its own so that the server is what is measured.

import { connectBoxes } from './boxes.js'
import { createChargePoints } from './charge-points.js'
import { followEvents } from './follower.js'
import { commission } from './installers.js'
import { createMeasure } from './measure.js'
import { getPages, logIn, sendBulk, sendCommands } from './operator.js'
import { createPartners } from './partners.js'
import { roamingTag } from './payloads.js'
import type { GeneratorMessage, GeneratorRequest } from './protocol.js'
import { createReceiver } from './receiver.js'

const measure = createMeasure()
const chargePoints = createChargePoints(measure)
const partners = createPartners(measure)

function tell(message: GeneratorMessage): void {
  process.send?.(message)
}

async function work(request: GeneratorRequest): Promise<void> {
  switch (request.type) {
    case 'connect':
      return chargePoints.connect(request)
    case 'drop':
      return chargePoints.drop()
    case 'talk':
      return chargePoints.talk(request.conversation, request.active)
    case 'quiet':
      return chargePoints.quiet()
    case 'transactions':
      return chargePoints.transactions(request.phase, request.connectors, request.samples)
    case 'statuses':
      return chargePoints.statuses(request.ratePerSecond, request.seconds)
    case 'cars':
      return chargePoints.cars(request.ratePerSecond, request.seconds, request.staySeconds)
    case 'receive-pushes':
      return partners.listen(request.port, request.partners)
    case 'hang':
      return partners.hang(request.hangs)
    case 'roam':
      await chargePoints.roam(request, partners.said)
      return partners.heardAll(request.patienceMs)
    case 'authorize':
      return chargePoints.authorize(roamingTag(0), request.ratePerSecond, request.seconds, partners.ownMs)
    case 'receive':
      return createReceiver(measure).listen(request.port)
    case 'follow':
      return followEvents(request.url, request.key, request.streams, measure)
    case 'mark':
      return
    case 'commands':
      return sendCommands(request, measure)
    case 'logins':
      return logIn(request, measure)
    case 'connect-boxes':
      return connectBoxes(request.url, request.ids, measure)
    case 'commission':
      return commission(request, measure)
    case 'bulk':
      return sendBulk(request, measure)
    case 'get':
      return getPages(request, measure)
  }
}

async function handle(request: GeneratorRequest): Promise<void> {
  // While charge points talk, a mark is what ends one window and begins the next; every other request begins its own.
  if (request.type !== 'mark' && request.type !== 'quiet') measure.report()
  const progress = setInterval(() => tell({ type: 'progress', completed: measure.completed }), 250)
  try {
    await work(request)
    tell({ type: 'done', report: measure.report() })
  } catch (error) {
    tell({ type: 'failed', message: error instanceof Error ? error.message : String(error) })
  } finally {
    clearInterval(progress)
  }
}

process.on('message', (request: GeneratorRequest) => void handle(request))
process.on('disconnect', () => process.exit(0))
