import { erc20Abi, maxUint256 } from 'viem'
import { createLocalnet, type Localnet } from '../../../dev/localnet.ts'
import { createHandler } from '../../../service/app.ts'
import type { Address, ChainConfig } from '../../../service/config.ts'
import { createEngine, type Engine } from '../../../service/engine.ts'
import { connectRpc } from '../../../service/indexer/node.ts'
import { createNodeFeed } from '../../../service/indexer/nodeFeed.ts'
import { createTokens, nativeTokenAddress } from '../../../service/tokens/registry.ts'
import { checkAnswer } from './answers.ts'
import { withTime } from './unhurriedService.ts'

export type Query = Record<string, string | undefined>

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export type Answer = { status: number; headers: Headers; body: any }

export type Running = Awaited<ReturnType<typeof startRunning>>

/** Starts localnet, an engine and a handler without a socket. */
export async function startRunning(adapt: (config: ChainConfig) => ChainConfig = (config) => config) {
  const localnet = await createLocalnet()
  const config = adapt(localnet.config)
  const engine = await createEngine(config, createNodeFeed(config, localnet.rpcUrl, { pollMs: 3_600_000 }))
  const node = connectRpc(localnet.rpcUrl)
  const service = { config, node, tokens: createTokens(config, node), engine: () => engine }
  const handler = createHandler(service, withTime)

  async function ask(operation: string, query: Query = {}): Promise<Answer> {
    const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
    return request(`/v6.1/${config.chainId}/${operation}?${new URLSearchParams(given)}`)
  }

  async function request(path: string, init: RequestInit = {}): Promise<Answer> {
    const response = await handler(new Request(`http://service${path}`, init))
    const text = await response.text()
    const body = text === '' ? undefined : JSON.parse(text)
    checkAnswer(path, response.status, body)
    return { status: response.status, headers: response.headers, body }
  }

  return {
    localnet,
    config,
    engine,
    handler,
    node,
    tokens: service.tokens,
    ask,
    request,
    chain: chainActions(localnet, engine),
    async stop() {
      engine.stop()
      await localnet.stop()
    },
  }
}

type SwapTransaction = { from: Address; to: Address; data: `0x${string}`; value: string; gas: number }

function chainActions(localnet: Localnet, engine: Engine) {
  const { client } = localnet

  /** Sends with the answered gas limit; throws on revert. */
  async function send({ from, to, data, value, gas }: SwapTransaction) {
    await client.impersonateAccount({ address: from })
    const transaction = { account: from, to, data, value: BigInt(value), gas: BigInt(gas) }
    return client.execute(transaction)
  }

  return {
    send,
    async execute(swap: SwapTransaction) {
      await send(swap)
      await engine.refresh()
    },
    async approve(token: Address, owner: Address, amount = maxUint256) {
      await client.impersonateAccount({ address: owner })
      const args = [localnet.config.router, amount] as const
      // USDT returns nothing, which the ERC-20 ABI cannot decode.
      await client.writeContractSync({
        account: owner,
        address: token,
        abi: erc20Abi,
        functionName: 'approve',
        args,
      })
      await engine.refresh()
    },
    balance(token: Address, owner: Address): Promise<bigint> {
      if (token === nativeTokenAddress) return client.getBalance({ address: owner })
      return client.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] })
    },
  }
}
