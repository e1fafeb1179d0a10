import { beforeAll } from 'vitest'
import type { Call } from '../../../src/domain/activity/callBatch.ts'
import { keysToAcknowledge, type Risk } from '../../../src/domain/dapp/risks/risk.ts'
import type { Address, Hex } from '../../../src/domain/token/token.ts'
import { compileFile } from '../../evm/contracts/compiled.ts'
import { accepting, asker, createDesk, type Desk } from './sendStage.ts'
import { type Browser, createBrowser, useStage } from './worker.ts'

type Deal = { takes?: Address; taken?: bigint; gives?: Address; given?: bigint; item?: bigint }

const zero: Address = '0x0000000000000000000000000000000000000000'

/** The user trusts Uniswap's V2 router. */
export function useRiskStage() {
  const stage = useStage()
  let artifacts: Awaited<ReturnType<typeof compile>>
  let requests = 0
  const made = {} as { browser: Browser; desk: Desk }
  const compile = () => compileFile('Venue.sol', ['Venue', 'RaisableToken', 'ReceiptToken'])
  beforeAll(async () => {
    artifacts = await compile()
    const { contracts, tokens } = stage.localnet
    const { v2Factory, v3Factory, v2Router } = contracts
    const network = {
      ...stage.network,
      router: v2Router,
      stable: tokens.USDC,
      market: { v2Factory, v3Factory },
    }
    made.browser = await createBrowser(stage, { networks: [network] })
    made.desk = createDesk(made.browser)
    await made.desk.connect()
  })

  async function deploy(name: keyof typeof artifacts, args: unknown[] = []): Promise<Address> {
    const { abi, bytecode } = artifacts[name]
    const hash = await stage.localnet.client.deployContract({ abi, bytecode, args } as never)
    return (await stage.localnet.client.receiptOf(hash)).contractAddress?.toLowerCase() as Address
  }

  return {
    stage,
    made,
    deploy,
    async teach(venue: Address, data: Hex, deal: Deal): Promise<void> {
      const { client } = stage.localnet
      const { takes = zero, taken = 0n, gives = zero, given = 0n, item = 0n } = deal
      const hash = await client.writeContract({
        address: venue,
        abi: artifacts.Venue.abi,
        functionName: 'teach',
        args: [data.slice(0, 10), { takes, taken, gives, given, item }],
      } as never)
      await client.receiptOf(hash)
    },
    /** Bypasses the wallet. */
    async sendBefore(...calls: Call[]): Promise<void> {
      const { client } = stage.localnet
      const { account } = made.browser
      await client.impersonateAccount({ address: account })
      for (const { to, data, value } of calls) {
        const hash = await client.sendTransaction({ account, ...(to && { to }), data, value } as never)
        await client.receiptOf(hash)
      }
    },
    async askSignature(typedData: { domain: object; [key: string]: unknown }) {
      const { desk, browser } = made
      requests += 1
      const data = { ...typedData, domain: { chainId: 31337, ...typedData.domain } }
      const text = JSON.stringify(data, (_key, value: unknown) =>
        typeof value === 'bigint' ? `${value}` : value,
      )
      const answer = desk.call('eth_signTypedData_v4', [browser.account, text], asker(requests))
      answer.catch(() => undefined)
      const approval = await desk.open()
      const risks = await desk.signRisks(approval)
      const approve = (acknowledged: string[]) =>
        desk.approvals.approve(approval.id, { kind: 'sign-typed-data', acknowledged })
      return {
        risks,
        ticks: keysToAcknowledge(risks),
        approve,
        answer,
        async reject() {
          await desk.approvals.reject(approval.id)
          await browser.session.delete('rejections')
        },
      }
    },
    async askMessage(message: Hex) {
      const { desk, browser } = made
      requests += 1
      const answer = desk.call('personal_sign', [message, browser.account], asker(requests))
      answer.catch(() => undefined)
      const approval = await desk.open()
      const approve = (acknowledged: string[]) =>
        desk.approvals.approve(approval.id, { kind: 'sign-message', acknowledged })
      return { approve, answer }
    },
    async install(from: Address, at: Address): Promise<void> {
      const { client } = stage.localnet
      const bytecode = await client.getCode({ address: from })
      await client.setCode({ address: at, bytecode: bytecode ?? '0x' })
    },
    async ask(...calls: (Omit<Call, 'value'> & { value?: bigint })[]): Promise<Asked> {
      const { desk } = made
      const written = calls.map(({ value = 0n, ...call }) => ({ ...call, value: `0x${value.toString(16)}` }))
      requests += 1
      const by = asker(requests)
      const answer =
        written.length === 1
          ? desk.call('eth_sendTransaction', written, by)
          : desk.call('wallet_sendCalls', [{ version: '2.0.0', chainId: '0x7a69', calls: written }], by)
      answer.catch(() => undefined)
      const approval = await desk.open()
      const preview = await desk.preview(approval)
      const { risks, simulation } = preview
      const ticks = keysToAcknowledge(risks)
      const approve = (acknowledged: string[]) =>
        desk.approvals.approve(approval.id, { ...accepting(preview), acknowledged })
      return {
        risks,
        ticks,
        status: simulation.status,
        approve,
        send: async (acknowledged = ticks) => {
          await approve(acknowledged)
          return answer
        },
        async reject() {
          await desk.approvals.reject(approval.id)
          // Repeated rejections would block the site.
          await made.browser.session.delete('rejections')
        },
      }
    },
  }
}

export type Asked = {
  risks: Risk[]
  ticks: string[]
  status: string
  approve(acknowledged: string[]): Promise<void>
  send(acknowledged?: string[]): Promise<unknown>
  reject(): Promise<void>
}
