// The library that most Node.js central systems start from, in strict mode: it validates every message and keeps nothing.
// A bound from above for what parsing and validation cost. Run as its own process with the port as its argument.

import { createServer } from 'node:http'
import { RPCServer } from 'ocpp-rpc'

interface Peer {
  handle(action: string, handler: (message: { params: unknown }) => unknown): void
}

let transactions = 0
const server = new RPCServer({ protocols: ['ocpp1.6'], strictMode: true })

server.on('client', (peer: Peer) => {
  const currentTime = (): string => new Date().toISOString()
  const idTagInfo = { status: 'Accepted' }
  peer.handle('BootNotification', () => ({ status: 'Accepted', currentTime: currentTime(), interval: 300 }))
  peer.handle('Heartbeat', () => ({ currentTime: currentTime() }))
  peer.handle('StatusNotification', () => ({}))
  peer.handle('MeterValues', () => ({}))
  peer.handle('StopTransaction', () => ({ idTagInfo }))
  peer.handle('StartTransaction', () => {
    transactions++
    return { transactionId: transactions, idTagInfo }
  })
})

const http = createServer((_request, response) => {
  response.end('ok')
})
http.on('upgrade', server.handleUpgrade)
http.listen(Number(process.argv[2]), '127.0.0.1', 4_096)
