import { parseEther } from 'viem'
import { type AnvilOptions, startAnvil } from '../../../dev/chain/anvil.ts'
import { readBuild } from '../../../dev/chain/artifacts.ts'
import { createLocalnetClient, deployer, type LocalnetClient } from '../../../dev/chain/client.ts'
import { defaultSettings } from '../../../src/config.ts'
import type { Network } from '../../../src/domain/network/network.ts'
import type { Address } from '../../../src/domain/token/token.ts'
import { type Browser, createBrowser, type Stage } from '../background/worker.ts'

/** No Multicall3, Permit2 or swap service. `wrapped` is WETH9, which old chains run too. */
export type PlainNode = {
  client: LocalnetClient
  network: Network
  wrapped: Address
  open(changes?: Partial<Network>): Promise<Browser>
  stop(): Promise<void>
}

export async function startPlainNode(options: Partial<AnvilOptions> = {}): Promise<PlainNode> {
  const anvil = await startAnvil({ chainId: 31337, port: 0, ...options })
  const client = createLocalnetClient(anvil.rpcUrl, 31337)
  const fund = (address: Address) => client.setBalance({ address, value: parseEther('10') })
  await client.impersonateAccount({ address: deployer })
  await fund(deployer)
  const { bytecode } = readBuild('@uniswap/v2-periphery/build/WETH9.json')
  const gasPrice = await client.getGasPrice()
  const hash = await client.sendTransaction({ data: bytecode, type: 'legacy', gasPrice })
  const wrapped = (await client.receiptOf(hash)).contractAddress!.toLowerCase() as Address
  const [local] = defaultSettings().networks
  const network: Network = {
    chainId: 31337,
    name: local!.name,
    coin: local!.coin,
    serviceUrl: '',
    rpcUrl: anvil.rpcUrl,
    wrapped,
    confirmations: 1,
    quoteEveryMs: 1_000,
  }
  const localnet = { fund } as Stage['localnet']
  const service = { engine: { refresh: async () => undefined } } as unknown as Stage['service']
  return {
    client,
    network,
    wrapped,
    open: (changes = {}) => createBrowser({ localnet, service, network: { ...network, ...changes } }),
    stop: anvil.stop,
  }
}
