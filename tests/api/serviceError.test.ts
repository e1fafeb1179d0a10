import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SwapApi } from '../../src/api/client.ts'
import { createHttp } from '../../src/api/http.ts'
import type { ServiceCode } from '../../src/api/serviceError.ts'
import { v3 } from '../../src/api/v3.ts'
import { v6 } from '../../src/api/v6.ts'
import type { ErrorCode, WalletError } from '../../src/errors.ts'
import { type FaultServer, html, json, refusal, startFaultServer, text } from '../helpers/node/faultServer.ts'
import { account, trade } from './answers.ts'

// service-interface, Errors.
const meanings: Record<Exclude<ServiceCode, 'FORBIDDEN' | 'INTERNAL_SERVER_ERROR'>, ErrorCode> = {
  INSUFFICIENT_LIQUIDITY: 'no-route',
  NO_PROTOCOLS: 'no-route',
  UNKNOWN_TOKEN: 'unknown-token',
  NOT_ENOUGH_BALANCE: 'not-enough-balance',
  NOT_ENOUGH_ALLOWANCE: 'not-enough-allowance',
  ESTIMATION_FAILED: 'estimation-failed',
  INSUFFICIENT_RETURN: 'below-floor',
  RE_ESTIMATED_RETURN_BELOW_SLIPPAGE: 'below-floor',
  GAS_PRICE_NOT_ALLOWED: 'refused-request',
  SLIPPAGE_TOO_HIGH: 'refused-request',
  FEE_WITHOUT_REFERRER: 'refused-request',
  PERMIT_NOT_ALLOWED_FOR_NATIVE: 'refused-request',
  FORCE_APPROVE_NOT_SUPPORTED: 'refused-request',
  VALIDATION_FAILED: 'refused-request',
  REQUIRED_FIELD_MISSING: 'refused-request',
  INVALID_NUMBER: 'refused-request',
  NOT_FOUND: 'refused-request',
  METHOD_NOT_ALLOWED: 'refused-request',
  REQUEST_TOO_LARGE: 'refused-request',
  RATE_LIMITED: 'service-busy',
  BUSY: 'service-busy',
  NOT_READY: 'service-failed',
  TIMED_OUT: 'service-timeout',
}

/** Other than 400 (service-semantics, Errors). */
const statuses: Partial<Record<ServiceCode, number>> = {
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TOO_LARGE: 431,
  RATE_LIMITED: 429,
  BUSY: 503,
  NOT_READY: 503,
  TIMED_OUT: 503,
}

let server: FaultServer
let api: SwapApi

beforeAll(async () => {
  server = await startFaultServer()
})
afterAll(() => server.stop())

describe.each(['6.1', '3.0'])('service errors in version %s', (version) => {
  beforeAll(() => {
    const create = version === '3.0' ? v3 : v6
    api = create(createHttp({ baseUrl: server.url, sleep: async () => undefined }), 31337)
  })

  const operation = `/v${version}/31337/swap`

  it('maps each documented service code to a wallet error code', async () => {
    for (const [code, ours] of Object.entries(meanings)) {
      const status = statuses[code as ServiceCode] ?? 400
      server.script(json(refusal(status, code, 'because'), status))
      expect(await swapFailure(), code).toMatchObject({
        code: ours,
        facts: {
          serviceCode: code,
          requestId: 'r-1',
          description: 'because',
          status: String(status),
          operation,
        },
      })
    }
  })

  it('keeps the meta amounts as facts and ignores forged meta facts', async () => {
    const meta = [
      { type: 'amount', value: '5' },
      { type: 'allowance', value: '3' },
      { type: 'operation', value: 'forged' },
      { type: 'description', value: 'forged' },
    ]
    const description = 'Not enough allowance. Amount: 5. Allowance: 3. Spender: 0x1.'
    server.script(json(refusal(400, 'NOT_ENOUGH_ALLOWANCE', description, meta), 400))
    const error = await swapFailure()
    expect(error.facts).toMatchObject({ amount: '5', allowance: '3', operation })
    expect(error.facts.description).toMatch(/^Not enough allowance/)
    expect(error.message).toBe(
      'The swap service refused: Not enough allowance. Amount: 5. Allowance: 3. Spender: 0x1.',
    )
  })

  it('maps an unknown service code to refused-request and keeps it as a fact', async () => {
    for (const code of ['MOON_PHASE', 'constructor', '__proto__']) {
      server.script(json(refusal(400, code, 'no'), 400))
      expect(await swapFailure()).toMatchObject({ code: 'refused-request', facts: { serviceCode: code } })
    }
  })

  it('derives the service code from the historic description when the code is missing', async () => {
    const { code: _older, ...body } = refusal(400, '', '')
    const texts: Record<string, ServiceCode> = {
      'insufficient liquidity': 'INSUFFICIENT_LIQUIDITY',
      'Insufficient liquidity.': 'INSUFFICIENT_LIQUIDITY',
      'cannot estimate': 'ESTIMATION_FAILED',
      'cannot estimate. Don’t forget about miner fee': 'ESTIMATION_FAILED',
      'Not enough allowance. Amount: 5. Allowance: 3. Spender: 0x1.': 'NOT_ENOUGH_ALLOWANCE',
      'Not enough balance. Amount: 5. Balance: 0.': 'NOT_ENOUGH_BALANCE',
      'src is not set': 'REQUIRED_FIELD_MISSING',
      'fromTokenAddress is not set': 'REQUIRED_FIELD_MISSING',
      'src and dst should be different': 'VALIDATION_FAILED',
    }
    for (const [description, serviceCode] of Object.entries(texts)) {
      server.script(json({ ...body, description }, 400))
      const code = meanings[serviceCode as keyof typeof meanings]
      expect(await swapFailure(), description).toMatchObject({ code, facts: { serviceCode } })
    }
    for (const description of ['something new', 'no insufficient liquidity', 'the price is not set']) {
      server.script(json({ ...body, description }, 400))
      const error = await swapFailure()
      expect(error, description).toMatchObject({ code: 'refused-request' })
      expect(error.facts).not.toHaveProperty('serviceCode')
    }
  })

  it('prefers the service code over the description', async () => {
    server.script(json(refusal(400, 'UNKNOWN_TOKEN', 'insufficient liquidity'), 400))
    expect(await swapFailure()).toMatchObject({ code: 'unknown-token' })
  })

  it('maps a 500 to service-failed although its service code belongs to a 400', async () => {
    server.script(json(refusal(500, 'INSUFFICIENT_LIQUIDITY', 'no'), 500))
    expect(await swapFailure()).toMatchObject({
      code: 'service-failed',
      facts: { serviceCode: 'INSUFFICIENT_LIQUIDITY' },
    })
  })

  it('maps 403, 429, 500 and 502 by status when the body is not a service error', async () => {
    const statuses = {
      403: 'service-forbidden',
      429: 'service-busy',
      500: 'service-failed',
      502: 'service-failed',
    }
    for (const [status, ours] of Object.entries(statuses)) {
      for (const answer of [html(Number(status)), text('', Number(status)), json({ a: 1 }, Number(status))]) {
        server.script(answer)
        expect(await swapFailure()).toMatchObject({ code: ours, facts: { status } })
      }
    }
  })

  it('reports the service code and the reason of a 403 and of a 500', async () => {
    server.script(json(refusal(403, 'FORBIDDEN', 'a key is needed'), 403))
    expect(await swapFailure()).toMatchObject({
      code: 'service-forbidden',
      message: 'The swap service refused access: a key is needed.',
      facts: { serviceCode: 'FORBIDDEN' },
    })
    server.script(json(refusal(500, 'INTERNAL_SERVER_ERROR', 'the node is down'), 500))
    expect(await swapFailure()).toMatchObject({
      code: 'service-failed',
      facts: { serviceCode: 'INTERNAL_SERVER_ERROR', description: 'the node is down' },
    })
  })

  it('throws service-garbled for an error body with fields of the wrong type', async () => {
    const good = refusal(400, 'UNKNOWN_TOKEN', 'no such token')
    for (const change of [
      { description: 5 },
      { code: 5 },
      { meta: 'x' },
      { meta: [{ type: 1 }] },
      { requestId: 1 },
    ]) {
      server.script(json({ ...good, ...change }, 400))
      expect(await swapFailure(), JSON.stringify(change)).toMatchObject({ code: 'service-garbled' })
    }
  })

  it('strips control and bidi characters and cuts a long description', async () => {
    server.script(json(refusal(400, 'X\u202e', `a\u202eb\u0000\n${'y'.repeat(5_000)}`), 400))
    const { message, facts } = await swapFailure()
    expect(message).not.toMatch(/[\p{C}]/u)
    expect(facts.serviceCode).toBe('X')
    expect(facts.description!.length).toBe(300)
  })
})

async function swapFailure(): Promise<WalletError> {
  return api.swap(trade, { from: account, origin: account, slippageBps: 50 }).then(
    () => expect.fail('answered'),
    (error: WalletError) => error,
  )
}
