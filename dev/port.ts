import { createServer } from 'node:net'

/** Returns `preferred` when free, else any free port. */
export async function openPort(preferred = 0): Promise<number> {
  const port = await tryPort(preferred)
  return port ?? (await tryPort(0)) ?? preferred
}

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : undefined))
    })
  })
}
