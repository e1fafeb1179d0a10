import { type HttpServer, startHttpServer } from '../httpServer.ts'

type Overrides = Record<string, string | undefined>
type State = Record<string, { stateDiff?: Record<string, string> }>
type Block = { blockOverrides?: Overrides; stateOverrides?: State; calls: { gas?: string }[] }
type Options = { blockStateCalls: Block[]; validation?: boolean }
type Question = { id: number; method: string; params: unknown[] }

export type GethNode = HttpServer & {
  asked: Overrides[]
  methods: string[]
}

export type GethTraits = {
  /** In headers; PREVRANDAO returns it even when overridden. */
  difficulty?: bigint
  /** EIP-4788. */
  hasBeaconRoots?: boolean
  /** EIP-2935 and EIP-4788, after state overrides. */
  runsSystemCalls?: boolean
  /** Silently: number and gas limit are the parent's, the base fee is zero. */
  ignores?: ('number' | 'gasLimit' | 'baseFeePerGas')[]
  /** Of the next block in the fee history. */
  blobBaseFee?: bigint
  /** Header numbers minus NUMBER. */
  numberOffset?: bigint
  /** Simulations follow the override despite `numberOffset`. */
  isNumberOverridden?: boolean
}

const zeroHash = `0x${'0'.repeat(64)}`

const beaconRoots = '0x000f3df6d732807ef1319fb7b8bb8522d0beac02'
const history = '0x0000f90827f1c53a10cb7a02335b175320002935'
const ringSize = 8_191n

const beaconRootsCode =
  '0x3373fffffffffffffffffffffffffffffffffffffffe14604d57602036146024575f5ffd5b5f35801560495762001fff810690815414603c575f5ffd5b62001fff01545f5260205ff35b5f5ffd5b62001fff42064281555f359062001fff015500'

/**
 * Starts a node before anvil with go-ethereum's simulation defaults (internal/ethapi/simulate.go):
 * `prevRandao` zero, the parent's fee recipient and gas limit, twelve seconds later, limited block gas.
 * `refuses`: override fields rejected with alloy's error.
 */
export async function startGethNode(
  rpcUrl: string,
  refuses: string[] = [],
  traits: GethTraits = {},
): Promise<GethNode> {
  const { difficulty, hasBeaconRoots, runsSystemCalls, ignores = [], numberOffset = 0n } = traits
  const asked: Overrides[] = []
  const methods: string[] = []

  async function ask(question: object): Promise<string> {
    const headers = { 'content-type': 'application/json' }
    return (await fetch(rpcUrl, { method: 'POST', headers, body: JSON.stringify(question) })).text()
  }

  async function call(method: string, params: unknown[]) {
    return JSON.parse(await ask({ jsonrpc: '2.0', id: 1, method, params })).result
  }

  const toInner = (tag: unknown) =>
    typeof tag === 'string' && tag.startsWith('0x') ? toQuantity(BigInt(tag) - numberOffset) : tag

  async function getHeader(question: Question): Promise<string> {
    const [tag, ...rest] = question.params
    const answer = JSON.parse(await ask({ ...question, params: [toInner(tag), ...rest] }))
    const { result } = answer
    if (!result) return JSON.stringify(answer)
    if (difficulty !== undefined)
      Object.assign(result, { difficulty: toQuantity(difficulty), mixHash: zeroHash })
    if (hasBeaconRoots) {
      // Anvil runs no such system call.
      result.parentBeaconBlockRoot = result.parentHash
      const slots = ring(BigInt(result.timestamp), result.parentBeaconBlockRoot)
      for (const slot of Object.entries(slots)) await call('anvil_setStorageAt', [beaconRoots, ...slot])
    }
    result.number = plus(result.number, numberOffset)
    return JSON.stringify(answer)
  }

  async function getFeeHistory(question: Question): Promise<string> {
    const answer = JSON.parse(await ask(question))
    const { blobBaseFee } = traits
    if (blobBaseFee !== undefined) answer.result.baseFeePerBlobGas = [toQuantity(blobBaseFee)]
    return JSON.stringify(answer)
  }

  async function simulate({ params, ...question }: Question): Promise<object | string> {
    const [options, tag] = params as [Options, string?]
    const at = toInner(tag ?? 'latest')
    const parent = await call('eth_getBlockByNumber', [at, false])
    if (!parent) return { error: { code: -32000, message: 'header not found' } }
    const blocks = []
    for (const { blockOverrides = {}, stateOverrides = {}, ...block } of options.blockStateCalls) {
      asked.push(blockOverrides)
      const accounts = Object.values(stateOverrides)
      const sent = [...Object.keys(blockOverrides), ...accounts.flatMap((account) => Object.keys(account))]
      const unknown = refuses.find((field) => sent.includes(field))
      if (unknown !== undefined) {
        const message = `unknown field \`${unknown}\`, expected one of \`number\`, \`baseFeePerGas\` at line 1 column 99`
        return { error: { code: -32602, message } }
      }
      const { time = plus(parent.timestamp, 12n) } = blockOverrides
      const number = ignores.includes('number')
        ? parent.number
        : numberOf(blockOverrides.number, parent.number)
      if (!ignores.includes('number') && BigInt(number) <= BigInt(parent.number)) {
        const message = `block numbers must be in order: ${BigInt(number)} <= ${BigInt(parent.number)}`
        return { error: { code: -38020, message } }
      }
      if (BigInt(time) <= BigInt(parent.timestamp)) {
        const message = `block timestamps must be in order: ${BigInt(time)} <= ${BigInt(parent.timestamp)}`
        return { error: { code: -38021, message } }
      }
      const { prevRandao = zeroHash, feeRecipient = parent.miner } = blockOverrides
      const { baseFeePerGas, blobBaseFee, beaconRoot = zeroHash } = blockOverrides
      const gasLimit = (!ignores.includes('gasLimit') && blockOverrides.gasLimit) || parent.gasLimit
      const randao = difficulty === undefined ? prevRandao : toWord(difficulty)
      const context = {
        ...{ number, time, prevRandao: randao, feeRecipient, gasLimit, blobBaseFee },
        ...(!ignores.includes('baseFeePerGas') && { baseFeePerGas }),
      }
      const system = {
        ...(hasBeaconRoots && { [beaconRoots]: { stateDiff: ring(BigInt(time), beaconRoot) } }),
        [history]: { stateDiff: { [toWord(BigInt(parent.number) % ringSize)]: parent.hash } },
      }
      const state = { ...stateOverrides, ...(runsSystemCalls && system) }
      blocks.push({ ...block, stateOverrides: state, blockOverrides: context })
    }
    // Anvil has a base fee only with validation.
    const validation = options.validation && !ignores.includes('baseFeePerGas')
    const all = { ...options, blockStateCalls: blocks, validation }
    const answer = JSON.parse(await ask({ ...question, params: [all, at] }))
    return overLimit(blocks, answer.result) ?? answer
  }

  function numberOf(overridden: string | undefined, parent: string): string {
    const isFixed = numberOffset !== 0n && !traits.isNumberOverridden
    return overridden === undefined || isFixed ? plus(parent, 1n) : overridden
  }

  async function answerTo(question: Question): Promise<string | object> {
    const { method, params } = question
    if (method === 'eth_simulateV1') return simulate(question)
    if (method === 'eth_getBlockByNumber') return getHeader(question)
    if (method === 'eth_feeHistory') return getFeeHistory(question)
    if (method !== 'eth_call') return ask(question)
    const [asked, tag, ...rest] = params
    return ask({ ...question, params: [asked, toInner(tag), ...rest] })
  }

  if (hasBeaconRoots) await call('anvil_setCode', [beaconRoots, beaconRootsCode])
  const server = await startHttpServer(async (_request, response, body) => {
    const question: Question = JSON.parse(body)
    methods.push(question.method)
    const answer = await answerTo(question)
    response.setHeader('content-type', 'application/json')
    response.end(
      typeof answer === 'string' ? answer : JSON.stringify({ jsonrpc: '2.0', id: question.id, ...answer }),
    )
  })
  return { ...server, asked, methods }
}

/** EIP-4788's storage for one block. */
function ring(time: bigint, root: string): Record<string, string> {
  return { [toWord(time % ringSize)]: toWord(time), [toWord((time % ringSize) + ringSize)]: root }
}

/** At most the block gas left by earlier calls. */
function overLimit(blocks: Block[], results: { calls: { gasUsed: string }[] }[] = []): object | undefined {
  for (const [at, { blockOverrides, calls }] of blocks.entries()) {
    let used = 0n
    for (const [index, { gas = '0x0' }] of calls.entries()) {
      if (used + BigInt(gas) > BigInt(blockOverrides?.gasLimit ?? 0)) {
        const message = `block gas limit reached: ${used} >= ${blockOverrides?.gasLimit}`
        return { error: { code: -38015, message } }
      }
      used += BigInt(results[at]?.calls[index]?.gasUsed ?? 0)
    }
  }
  return undefined
}

function plus(quantity: string, more: bigint): string {
  return toQuantity(BigInt(quantity) + more)
}

function toQuantity(value: bigint): string {
  return `0x${value.toString(16)}`
}

function toWord(value: bigint): string {
  return `0x${value.toString(16).padStart(64, '0')}`
}
