import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Address } from '../../src/domain/token/token.ts'
import { requestTestFunds } from '../../src/evm/faucet.ts'
import { failure } from '../helpers/failure.ts'
import { type FaultServer, hangUp, json, startFaultServer } from '../helpers/node/faultServer.ts'

const account: Address = `0x${'ac'.repeat(20)}`
let server: FaultServer

beforeAll(async () => {
  server = await startFaultServer()
})
afterAll(() => server.stop())

describe('requestTestFunds', () => {
  it('posts the address once', async () => {
    server.script(json({ funded: account }))
    await requestTestFunds(`${server.url}/`, account)
    expect(server.asked).toMatchObject([{ method: 'POST', path: `/${account}`, body: '' }])
  })

  it('reports a dropped connection and an HTTP 500, the latter without a retry', async () => {
    server.script(hangUp)
    expect(await failure(requestTestFunds(server.url, account))).toMatchObject({ code: 'node-unreachable' })
    server.script(json({ error: 'empty' }, 500))
    expect(await failure(requestTestFunds(server.url, account))).toMatchObject({
      code: 'node-refused',
      facts: { status: '500' },
    })
    expect(server.asked).toHaveLength(1)
  })
})
