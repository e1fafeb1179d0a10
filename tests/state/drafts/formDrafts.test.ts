import { describe, expect, it } from 'vitest'
import { toFormValues } from '../../../src/domain/network/networkTexts.ts'
import { parseFormDrafts } from '../../../src/state/drafts/formDrafts.ts'
import { optionFields } from '../../../src/ui/networks/routeOptions.ts'
import { local } from '../../helpers/state/fakes.ts'

const bob = '0x2222222222222222222222222222222222222222'
const key = '4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318'

describe('parseFormDrafts', () => {
  it('returns valid drafts unchanged', () => {
    const drafts = {
      'network-1': { rpcUrl: 'https://rpc.example/v3/0123', name: '' },
      'network-new': { rpcUrl: 'https://rpc.example', found: { url: 'https://rpc.example', chainId: 5 } },
      'network-new-5': { symbol: 'TWO', serviceVersion: '3.0' },
      'routes-1': { protocols: ['UNISWAP_V3'], fee: '0.3' },
      'contact-new': { name: 'Bob', address: '0x22', note: 'From the club' },
      [`contact-${bob}`]: { name: 'Bob' },
      [`account-${bob}`]: { name: 'Savings' },
      'slippage-swap': { percent: '0.7' },
      'slippage-default': { percent: '1,5' },
      watched: { address: bob, isAccepted: true },
      'phrase-length': { words: 24 },
    }
    expect(parseFormDrafts(JSON.parse(JSON.stringify(drafts)))).toEqual(drafts)
  })

  it('keeps every network field except the API key, and every route option', () => {
    const { serviceKey, ...texts } = { ...toFormValues(local), serviceKey: 'key-of-mine' }
    const routes = Object.fromEntries(optionFields.map(({ name }) => [name, '1']))
    const stored = { 'network-1': { ...texts, serviceKey }, 'routes-1': routes }
    expect(parseFormDrafts(stored)).toEqual({ 'network-1': texts, 'routes-1': routes })
  })

  it.each([
    undefined,
    null,
    0,
    'text',
    [],
    [['network-1', {}]],
    { 'network-1': null },
    { 'network-1': 'text' },
    { 'network-1': {} },
    { 'network-1': { rpcUrl: 1 } },
    { 'network-1': { rpcUrl: 'x'.repeat(2_001) } },
    { 'network-1': { serviceVersion: '9' } },
    { 'network-01': { name: 'One' } },
    { 'network-': { name: 'One' } },
    { 'network-new': { found: { url: 'https://rpc.example', chainId: '5' } } },
    { 'routes-1': { protocols: [1] } },
    { 'contact-0x22': { name: 'Bob' } },
    { 'slippage-other': { percent: '1' } },
    { watched: { isAccepted: 'yes' } },
    { 'phrase-length': { words: 13 } },
    JSON.parse('{"__proto__":{"name":"One"}}'),
    JSON.parse('{"network-1":{"__proto__":{"name":"One"}}}'),
    { password: { password: 'correct heron' }, phrase: { words: 'legal winner' } },
  ])('returns no drafts for damaged or unknown input: %j', (stored) => {
    expect(parseFormDrafts(stored)).toEqual({})
  })

  it('drops only the damaged field', () => {
    expect(parseFormDrafts({ 'contact-new': { name: 'Bob', note: 7 }, 'network-1': 7 })).toEqual({
      'contact-new': { name: 'Bob' },
    })
  })

  it('keeps RPC URLs that contain an API key', () => {
    const stored = {
      'network-1': {
        rpcUrl: 'https://orbital-wider-river.arbitrum-sepolia.quiknode.pro/0a1b2c3d/',
        spareRpcUrl: `https://rpc.ankr.com/eth/${key.slice(-64)}`,
      },
      'network-new': { rpcUrl: `https://rpc.ankr.com/eth/${key.slice(-64)}` },
      'contact-new': { note: 'Exchange deposit address for the joint savings account' },
    }
    expect(parseFormDrafts(stored)).toEqual(stored)
  })

  it('drops secrets that were pasted into the wrong field', () => {
    expect(
      parseFormDrafts({
        watched: { address: key },
        'contact-new': { name: 'Bob', note: 'legal winner thank year wave sausage worth useful legal' },
        'network-1': {
          rpcUrl: 'https://user:password@rpc.example',
          serviceUrl: `https://swap.example/${key}`,
          name: 'One',
        },
      }),
    ).toEqual({ 'contact-new': { name: 'Bob' }, 'network-1': { name: 'One' } })
  })
})
