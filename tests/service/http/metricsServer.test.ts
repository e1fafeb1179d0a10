import { get } from 'node:http'
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Socket } from '../../../service/http/listen.ts'
import { createMetrics } from '../../../service/http/metrics.ts'
import { serveMetrics } from '../../../service/http/metricsServer.ts'

let socket: Socket
beforeAll(async () => {
  const metrics = createMetrics()
  socket = await serveMetrics(metrics, () => metrics.registry.metrics(), 0)
})
afterAll(() => socket.stop())

type Asked = { host?: string; name?: string; path?: string; method?: string }

function ask({ host = '127.0.0.1', name = 'localhost', path = '/metrics', method = 'GET' }: Asked) {
  return new Promise<number | string | undefined>((resolve) => {
    const options = { host, port: socket.port, path, method, headers: { host: name }, agent: false }
    get(options, (response) => resolve(response.resume().statusCode)).once(
      'error',
      ({ code }: NodeJS.ErrnoException) => resolve(code),
    )
  })
}

it('answers requests for localhost and 127.0.0.1', async () => {
  expect(await ask({})).toBe(200)
  expect(await ask({ name: `127.0.0.1:${socket.port}`, method: 'HEAD' })).toBe(200)
})

it('rejects other host names, against DNS rebinding', async () => {
  for (const name of ['page.example', 'localhost.page.example', '127.0.0.1.page.example', '[::1]']) {
    expect(await ask({ name }), name).not.toBe(200)
  }
})

it('serves no other path and no other method', async () => {
  expect(await ask({ path: '/' })).toBe(404)
  expect(await ask({ path: '/v6.1/1/quote' })).toBe(404)
  expect(await ask({ method: 'POST' })).toBe(405)
})

it('listens on no other address of the machine', async () => {
  const others = Object.values(networkInterfaces()).flatMap((all = []) =>
    all.filter(({ internal }) => !internal),
  )
  for (const { address, family } of others) {
    if (family === 'IPv4') expect(await ask({ host: address })).toBe('ECONNREFUSED')
  }
  expect(await ask({ host: '127.0.0.2' })).toBe('ECONNREFUSED')
})
