import { type HttpServer, startHttpServer } from '../httpServer.ts'

type Overrides = Record<string, string | undefined>
type Block = { blockOverrides?: Overrides; calls: { gas?: string }[] }
type Question = { id: number; method: string; params: [{ blockStateCalls: Block[] }, string?] }

export type GethNode = HttpServer & {
  /** The overrides that the caller sent, in order. */
  asked: Overrides[]
}

const zeroHash = `0x${'0'.repeat(64)}`

/**
 * Starts a node in front of anvil that simulates with go-ethereum's defaults (internal/ethapi/simulate.go): a block context of which only
 * what the caller overrides is plausible. `prevRandao` is zero, the fee recipient and the gas limit are the parent's, the time is twelve
 * seconds after it; unknown fields are ignored, and the block's gas is limited. `refuses` are fields that it does not take, in the words of nodes of the alloy family.
 * With a `difficulty` its headers have that, and its PREVRANDAO is that, whatever the caller overrides.
 */
export async function startGethNode(
  rpcUrl: string,
  refuses: string[] = [],
  { difficulty }: { difficulty?: bigint } = {},
): Promise<GethNode> {
  const asked: Overrides[] = []

  async function ask(question: object): Promise<string> {
    const headers = { 'content-type': 'application/json' }
    return (await fetch(rpcUrl, { method: 'POST', headers, body: JSON.stringify(question) })).text()
  }

  async function getHeader(question: object): Promise<string> {
    const answer = JSON.parse(await ask(question))
    if (answer.result && difficulty !== undefined) {
      Object.assign(answer.result, { difficulty: toQuantity(difficulty), mixHash: zeroHash })
    }
    return JSON.stringify(answer)
  }

  async function simulate({
    params: [options, at = 'latest'],
    ...question
  }: Question): Promise<object | string> {
    const header = { jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: [at, false] }
    const { result: parent } = JSON.parse(await ask(header))
    if (!parent) return { error: { code: -32000, message: 'header not found' } }
    const blocks = []
    for (const { blockOverrides = {}, ...block } of options.blockStateCalls) {
      asked.push(blockOverrides)
      const unknown = refuses.find((field) => field in blockOverrides)
      if (unknown !== undefined) {
        const message = `unknown field \`${unknown}\`, expected one of \`number\`, \`baseFeePerGas\` at line 1 column 99`
        return { error: { code: -32602, message } }
      }
      const { number = plus(parent.number, 1), time = plus(parent.timestamp, 12) } = blockOverrides
      if (BigInt(number) <= BigInt(parent.number)) {
        const message = `block numbers must be in order: ${BigInt(number)} <= ${BigInt(parent.number)}`
        return { error: { code: -38020, message } }
      }
      if (BigInt(time) <= BigInt(parent.timestamp)) {
        const message = `block timestamps must be in order: ${BigInt(time)} <= ${BigInt(parent.timestamp)}`
        return { error: { code: -38021, message } }
      }
      const {
        prevRandao = zeroHash,
        feeRecipient = parent.miner,
        gasLimit = parent.gasLimit,
      } = blockOverrides
      const { baseFeePerGas, blobBaseFee } = blockOverrides
      const randao = difficulty === undefined ? prevRandao : toWord(difficulty)
      const context = { number, time, prevRandao: randao, feeRecipient, gasLimit, baseFeePerGas, blobBaseFee }
      blocks.push({ ...block, blockOverrides: context })
    }
    const answer = JSON.parse(
      await ask({ ...question, params: [{ ...options, blockStateCalls: blocks }, at] }),
    )
    return overLimit(blocks, answer.result) ?? answer
  }

  const server = await startHttpServer(async (_request, response, body) => {
    const question: Question = JSON.parse(body)
    const answer = await (question.method === 'eth_simulateV1'
      ? simulate(question)
      : question.method === 'eth_getBlockByNumber'
        ? getHeader(question)
        : ask(question))
    response.setHeader('content-type', 'application/json')
    response.end(
      typeof answer === 'string' ? answer : JSON.stringify({ jsonrpc: '2.0', id: question.id, ...answer }),
    )
  })
  return { ...server, asked }
}

/** A call may ask for no more gas than the calls before it left of the block's. */
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

function plus(quantity: string, more: number): string {
  return toQuantity(BigInt(quantity) + BigInt(more))
}

function toQuantity(value: bigint): string {
  return `0x${value.toString(16)}`
}

function toWord(value: bigint): string {
  return `0x${value.toString(16).padStart(64, '0')}`
}
