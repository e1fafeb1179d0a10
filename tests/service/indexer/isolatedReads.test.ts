import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readArtifact } from '../../../contracts/artifact.ts'
import { compileContracts } from '../../../contracts/compile.ts'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import type { Address } from '../../../service/config.ts'
import { view } from '../../../service/indexer/abiWords.ts'
import { type Chain, createChain } from '../../../service/indexer/chain.ts'
import { isolatedReadsCode } from '../../../service/indexer/isolatedReadsCode.ts'
import { type NodeProxy, type Question, startProxy } from '../../helpers/node/rpcProxy.ts'
import { slow } from '../../helpers/slow.ts'

slow('A chain runs.')

let localnet: Localnet
let proxy: NodeProxy
let chain: Chain
let answer: (question: Question) => object | undefined = () => undefined
const sent: Hex[] = []

const name = view('function name()')
const decimals = view('function decimals()')
const burners = Array.from(
  { length: 45 },
  (_, i) => `0x${(0xb0_0000 + i).toString(16).padStart(40, '0')}` as Address,
)

beforeAll(async () => {
  localnet = await createLocalnet()
  proxy = await startProxy(localnet.rpcUrl, (question) => {
    const [call] = question.params as [{ data?: Hex }]
    if (question.method === 'eth_call' && call.data) sent.push(call.data)
    return answer(question)
  })
  for (const address of burners) await localnet.client.setCode({ address, bytecode: '0x5b600056' })
  chain = createChain(proxy.url, localnet.config.multicall)
})
afterAll(async () => {
  await proxy.stop()
  await localnet.stop()
})

const ask = (to: Address) => [name(), decimals(), '0xffffffff' as Hex].map((data) => ({ to, data }))
const isCode = ({ method, params }: Question) =>
  method === 'eth_call' && ((params as [{ data?: Hex }])[0].data ?? '').startsWith(isolatedReadsCode)

it('runs the code of the compiled IsolatedReads.sol', async () => {
  await compileContracts()
  expect(isolatedReadsCode).toBe(readArtifact('IsolatedReads').bytecode)
})

it('answers as single calls do, however many contracts burn gas, and asks those less and less', async () => {
  const tokens = Object.values(localnet.tokens)
  const pools = burners.flatMap((burner, i) => [burner, tokens[i % tokens.length] as Address])
  const distinct = [...new Set(pools)]
  const { number } = await chain.header()
  const expected = await Promise.all(
    distinct.map((to) =>
      chain.read([ask(to).map((call) => ({ ...call, mayFail: true }))], number).catch(() => []),
    ),
  )
  const wanted = expected.map(([own = ['0x', '0x', '0x']]) => own)
  expect(wanted.filter(([first]) => first !== '0x')).toHaveLength(tokens.length)
  const requests: number[] = []
  for (let block = number; block < number + 4n; block++) {
    sent.length = 0
    expect(await chain.readIsolated(distinct.map(ask), number, distinct)).toEqual(wanted)
    requests.push(sent.length)
  }
  expect(requests[0]).toBeLessThanOrEqual(5)
  // Not at the same block again.
  expect(requests.slice(1)).toEqual([1, 1, 1])
  await localnet.client.mine({ blocks: 1 })
  sent.length = 0
  expect(await chain.readIsolated(distinct.map(ask), number + 1n, distinct)).toEqual(wanted)
  // Four of the burners, and all tokens.
  expect(sent).toHaveLength(1)
  const isAsked = burners.filter((burner) => sent[0]!.includes(burner.slice(2)))
  expect(isAsked).toHaveLength(4)
})

it('reads by Multicall3 where creation code is refused', async () => {
  answer = (question) =>
    isCode(question) ? { error: { code: -32602, message: 'missing field to' } } : undefined
  const { number } = await chain.header()
  const lists = [burners[0] as Address, ...Object.values(localnet.tokens)].map(ask)
  const other = createChain(proxy.url, localnet.config.multicall)
  const answers = await other.readIsolated(lists, number)
  answer = () => undefined
  expect(answers).toEqual(await chain.readIsolated(lists, number))
})

it.each([
  ['one request', false],
  ['two requests by Multicall3', true],
])('calls the contracts that earlier calls have answered, in %s', async (_how, isRefused) => {
  const [namer, spender] = [0xc0de01, 0xc0de02].map(
    (at) => `0x${at.toString(16).padStart(40, '0')}` as Address,
  )
  const { USDC, DAI } = localnet.tokens
  // PUSH20, MSTORE, RETURN
  for (const [address, named] of [
    [namer!, USDC],
    [spender!, burners[1]!],
  ] as const) {
    await localnet.client.setCode({ address, bytecode: `0x73${named.slice(2)}5f5260205ff3` })
  }
  answer = (question) =>
    isRefused && isCode(question) ? { error: { code: -32602, message: 'missing field to' } } : undefined
  const other = createChain(proxy.url, localnet.config.multicall)
  const { number } = await other.header()
  // An answer, one that burns gas, one that is no address, and a failed call; and none that follows.
  const calls = [
    ...[namer!, spender!].map((to) => ({ to, data: name() })),
    { to: DAI, data: decimals() },
    { to: DAI, data: '0xffffffff' as Hex },
    ...[0, 1, 2, 3, 99].map((answerOf) => ({ answerOf, data: decimals() })),
    { answerOf: 0, data: name() },
    { to: DAI, data: decimals() },
  ]
  sent.length = 0
  const [list, plain] = await other.readIsolated([calls, ask(DAI)], number)
  answer = () => undefined
  expect(sent).toHaveLength(isRefused ? 3 : 1)
  const [[usdcName, usdcDecimals] = [], [, daiDecimals] = []] = await chain.readIsolated(
    [USDC, DAI].map(ask),
    number,
  )
  expect(list!.slice(2)).toEqual([
    ...[daiDecimals, '0x', usdcDecimals, '0x', '0x', '0x', '0x'],
    ...[usdcName, daiDecimals],
  ])
  expect(plain).toEqual((await chain.readIsolated([ask(DAI)], number))[0])
})

it('throws what is not the failure of a contract', async () => {
  answer = ({ method }) =>
    method === 'eth_call' ? { error: { code: -32603, message: 'server busy' } } : undefined
  const { number } = await chain.header()
  const reads = chain.readIsolated([ask(localnet.tokens.WETH)], number)
  await expect(reads).rejects.toThrow('server busy')
  answer = () => undefined
})
