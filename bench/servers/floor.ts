// The floor: the least that any Node.js central system can spend on a message. It parses the frame, answers a constant
// CALLRESULT with the same id, and keeps nothing. The answer is one that every request of the bench can
// live with. Run as its own process with the port as its argument.

import { loadUWebSockets } from '../../src/runtime/thread/uwebsockets.js'

const answer =
  '{"status":"Accepted","currentTime":"2030-01-01T00:00:00.000Z","interval":300,"transactionId":1000000001}]'

loadUWebSockets()
  .App()
  .get('/readyz', (response) => {
    response.end('ok')
  })
  .ws('/ocpp16/:id', {
    maxPayloadLength: 65_536,
    idleTimeout: 0,
    upgrade(response, request, context) {
      response.upgrade(
        {},
        request.getHeader('sec-websocket-key'),
        request.getHeader('sec-websocket-protocol'),
        request.getHeader('sec-websocket-extensions'),
        context,
      )
    },
    message(socket, message) {
      const frame = JSON.parse(Buffer.from(message).toString()) as unknown[]
      if (frame[0] === 2) socket.send(`[3,${JSON.stringify(frame[1])},${answer}`)
    },
  })
  .listen('127.0.0.1', Number(process.argv[2]), (socket) => {
    if (socket === false) throw new Error(`port ${process.argv[2]} is taken`)
  })
