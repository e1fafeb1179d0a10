import { encodeFunctionData, erc20Abi, parseEther } from 'viem'
import { beforeAll, beforeEach } from 'vitest'
import type { Approval } from '../../../src/domain/dapp/approval.ts'
import type { Address, Hex } from '../../../src/domain/token/token.ts'
import { compileFile } from '../../evm/contracts/compiled.ts'
import { accepting, asker, createDesk, type Desk } from './sendStage.ts'
import { type Browser, createBrowser, useStage } from './worker.ts'

/** The shop holds 100,000 USDC. */
export function useBazaarStage() {
  const stage = useStage()
  const made = {} as { browser: Browser; desk: Desk; shop: Address }
  let artifact: Awaited<ReturnType<typeof compileFile<'Bazaar'>>>['Bazaar']
  let requests = 0

  beforeAll(async () => {
    artifact = (await compileFile('Bazaar.sol', ['Bazaar'])).Bazaar
  })

  beforeEach(async () => {
    const { client, tokens } = stage.localnet
    const { abi, bytecode } = artifact
    const hash = await client.deployContract({ abi, bytecode, args: [] } as never)
    made.shop = (await client.receiptOf(hash)).contractAddress?.toLowerCase() as Address
    const args = [made.shop, 100_000_000_000n] as const
    await client.writeContractSync({ address: tokens.USDC, abi: erc20Abi, functionName: 'transfer', args })
    made.browser = await createBrowser(stage)
    made.desk = createDesk(made.browser)
    await made.desk.connect()
  })

  const encode = (functionName: string, args: unknown[] = []): Hex =>
    encodeFunctionData({ abi: artifact.abi, functionName, args } as never)

  return {
    stage,
    made,
    shopCall: (functionName: string, args: unknown[] = [], ether = 0) => ({
      to: made.shop,
      data: encode(functionName, args),
      value: `0x${parseEther(`${ether}`).toString(16)}` as Hex,
    }),
    async own(functionName: string, args: unknown[]): Promise<void> {
      const { client } = stage.localnet
      const call = { address: made.shop, abi: artifact.abi, functionName, args, gas: 100_000n }
      await client.writeContractSync(call as never)
    },
    async request(...calls: { to: Address; data: Hex; value: Hex }[]) {
      const { desk } = made
      requests += 1
      const by = asker(requests)
      const answer =
        calls.length === 1
          ? desk.call('eth_sendTransaction', calls, by)
          : desk.call('wallet_sendCalls', [{ version: '2.0.0', chainId: '0x7a69', calls }], by)
      answer.catch(() => undefined)
      return { answer, approval: await desk.open() }
    },
    async agreeTo(approval: Approval, meanwhile?: () => Promise<void>) {
      const preview = await made.desk.preview(approval)
      await meanwhile?.()
      await made.desk.approvals.approve(approval.id, accepting(preview))
      return preview
    },
    async agreeBlindly(approval: Approval): Promise<void> {
      const preview = await made.desk.preview(approval)
      await made.desk.approvals.approve(approval.id, { ...accepting(preview), acknowledged: [] })
    },
    nonce: () => stage.localnet.client.getTransactionCount({ address: made.browser.account }),
  }
}
