// `npm run console:dev`: the console as it is in the sources, anew with each change, over a service that runs: the API and everything else is asked of it.
// AMPSHARD_URL says where that is.

import { createServer } from 'vite'
import { consoleConfig } from './console-config.js'

const service = process.env.AMPSHARD_URL ?? 'http://127.0.0.1:8080'
const server = await createServer({
  ...consoleConfig('dist/console-dev'),
  logLevel: 'info',
  server: { host: '127.0.0.1', port: 5173, proxy: { '/api': { target: service }, '/docs': { target: service } } },
})
await server.listen()
server.printUrls()
