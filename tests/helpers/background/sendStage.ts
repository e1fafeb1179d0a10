import { type Approvals, createApprovals } from '../../../src/background/approvals/approvals.ts'
import type { Requester } from '../../../src/background/approvals/store.ts'
import { createConnectedSites } from '../../../src/background/dapp/connectedSites.ts'
import { createCallIds } from '../../../src/background/dapp/methods/callIds.ts'
import { createCallMethods } from '../../../src/background/dapp/methods/sendCalls.ts'
import {
  createSendExecutor,
  createSendMethods,
} from '../../../src/background/dapp/methods/sendTransaction.ts'
import { signMethods } from '../../../src/background/dapp/methods/signMethods.ts'
import { createRecipientFacts } from '../../../src/background/dapp/recipientFacts.ts'
import { createRiskChecks } from '../../../src/background/dapp/riskChecks.ts'
import type { RpcHandler } from '../../../src/background/dapp/router.ts'
import { createSettings } from '../../../src/background/settings.ts'
import { createCustomTokens } from '../../../src/background/tokens/customTokens.ts'
import { createGetToken } from '../../../src/background/tokens/getToken.ts'
import { createSignatures } from '../../../src/background/transactions/signMessage.ts'
import { createCallPreview } from '../../../src/background/transfers/simulateCalls.ts'
import type { CallPreview } from '../../../src/domain/activity/callBatch.ts'
import { toShown } from '../../../src/domain/activity/worse.ts'
import type { Approval } from '../../../src/domain/dapp/approval.ts'
import { keysToAcknowledge } from '../../../src/domain/dapp/risks/risk.ts'
import type { Token } from '../../../src/domain/token/token.ts'
import { memoryArea } from './memoryArea.ts'
import { type Browser, createWorker, until, type WorkerOptions } from './worker.ts'

export const origin = 'https://shop.example'
export const asker = (requestId = 1, from = origin): Requester => ({
  origin: from,
  documentId: `DOC of ${from}`,
  tabId: 3,
  requestId,
})

/** Accepts `preview` with every tick. */
export function accepting({ simulation, feeCap, risks }: CallPreview) {
  const expected = toShown(simulation)
  return {
    kind: 'send',
    feeCap,
    mayFail: simulation.status !== 'succeeds',
    acknowledged: keysToAcknowledge(risks),
    ...(expected && { expected }),
  } as const
}

export function createDesk(browser: Browser, options: WorkerOptions = {}) {
  const worker = createWorker(browser, options)
  const now = options.now ?? Date.now
  const { local, vault, networks } = worker
  const settings = createSettings(local)
  const sites = createConnectedSites({ vault, settings, local, onChange: async () => undefined })
  const ids = createCallIds(local, now)
  const assets = createCustomTokens(local)
  const ways: ('front' | 'quietly')[] = []
  const send = createSendExecutor({ intents: worker, networks })
  const sign = createSignatures(vault, now)
  let list: Promise<Token[]> | undefined
  const readList = async () => (await networks.api(31337)).tokens().catch(() => [])
  const risks = createRiskChecks({
    networks,
    preview: createCallPreview({
      networks,
      tokenOf: createGetToken({ networks, cached: () => (list ??= readList()), assets }),
      assets,
    }),
    people: createRecipientFacts({ vault, settings, intents: worker }),
    now,
  })
  const approvals: Approvals = createApprovals({
    check: risks.check,
    session: memoryArea(browser.session),
    window: { open: async (how) => void ways.push(how), count: () => undefined, onClosed: () => undefined },
    perform: (approval, decision, at) => (approval.ask.kind === 'send' ? send : sign)(approval, decision, at),
    onChange: () => undefined,
    isThere: () => true,
    now,
  })
  const methods: Record<string, RpcHandler> = {
    ...signMethods({ sites, approvals }),
    ...createSendMethods({ sites, approvals, intents: worker, networks }),
    ...createCallMethods({ sites, settings, networks, approvals, intents: worker, ids, now }),
  }
  async function tick(approval: Approval): Promise<string[]> {
    return keysToAcknowledge((await risks.preview(approval)).risks)
  }

  return {
    worker,
    sites,
    settings,
    ids,
    approvals,
    assets,
    preview: risks.preview,
    signRisks: risks.signRisks,
    recipientRisks: risks.recipientRisks,
    ways,
    shown: () => ways.length,
    connect: (to = origin) =>
      sites.save({ origin: to, accounts: [browser.account], chainId: 31337, connectedAt: 1 }),
    async call(method: string, params: unknown, by: Requester = asker()): Promise<unknown> {
      const found = methods[method]
      if (found === undefined) throw new Error(`No method ${method}.`)
      return found(by, params)
    },
    open: (): Promise<Approval> => until(async () => (await approvals.list())[0], 'the request'),
    /** Approves with every tick. */
    async agree(changes: { feeCap?: bigint; mayFail?: boolean } = {}): Promise<Approval> {
      const approval = await until(async () => (await approvals.list())[0], 'the request')
      const preview = await risks.preview(approval)
      await approvals.approve(approval.id, { ...accepting(preview), ...changes })
      return approval
    },
    tick,
  }
}

export type Desk = ReturnType<typeof createDesk>
