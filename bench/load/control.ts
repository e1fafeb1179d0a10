import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// Child process of load.ts: answers at once, so its times show what the machine alone costs.

const server = createServer((_request, response) => void response.end('{}'))
server.listen(0, '127.0.0.1', () =>
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
)
process.once('disconnect', () => process.exit())
