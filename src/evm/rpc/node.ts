import type { Network } from '../../domain/network/network.ts'
import { WalletError } from '../../errors.ts'
import type { HttpDeps } from '../../httpClient.ts'
import { createRpc, createRpcRequest, type RpcLimits, type RpcRequest, timeoutError } from './rpc.ts'
import { count } from './schemas.ts'

/** RPC of a network, used only after its chain id is verified. */
export type Node = {
  ask(limits: RpcLimits): RpcRequest
  /** Verifies again; answers wait. Throws `wrong-chain`. */
  verify(limits: RpcLimits): Promise<void>
}

/** docs/security/journal.md, RPCs. */
export const pollLimits: RpcLimits = { deadlineMs: 5_000, retries: 3 }

export function createNode(
  url: string,
  { chainId, name }: Pick<Network, 'chainId' | 'name'>,
  { timeout = (ms) => AbortSignal.timeout(ms), ...parts }: HttpDeps,
): Node {
  let served: Promise<void> | undefined
  let hasServed = false

  const connect = (limits: RpcLimits, deadline: AbortSignal) =>
    createRpcRequest({ ...parts, ...limits, url, timeout: () => deadline })

  async function checkChain(ask: RpcRequest): Promise<void> {
    const found = await askChainId(ask)
    if (found === chainId) return
    throw new WalletError('wrong-chain', `The node serves chain ${found}, but ${name} is chain ${chainId}.`, {
      expected: String(chainId),
      found: String(found),
    })
  }

  function verify(ask: RpcRequest): Promise<void> {
    const check = checkChain(ask)
    served = check
    check.then(
      () => {
        hasServed = true
      },
      () => {
        hasServed = false
        served = undefined
      },
    )
    return check
  }

  return {
    ask: (limits) => async (method, params, read) => {
      const deadline = timeout(limits.deadlineMs)
      const connected = connect(limits, deadline)
      const checked = Promise.race([served ?? verify(connected), over(deadline, method)])
      // Only a known RPC is asked at once: a check between costs a round trip.
      if (!hasServed) await checked
      const asked = connected(method, params, read)
      asked.catch(() => undefined)
      await checked
      return asked
    },
    verify: (limits) => verify(connect(limits, timeout(limits.deadlineMs))),
  }
}

function over(deadline: AbortSignal, method: string): Promise<never> {
  return new Promise((_, reject) => {
    deadline.addEventListener('abort', () =>
      reject(timeoutError({ failure: 'timeout', cause: deadline.reason }, method)),
    )
  })
}

export function readChainId(url: string): Promise<number> {
  return askChainId(createRpcRequest({ ...pollLimits, url }))
}

function askChainId(ask: RpcRequest): Promise<number> {
  return createRpc(ask).ask('eth_chainId', [], count)
}
