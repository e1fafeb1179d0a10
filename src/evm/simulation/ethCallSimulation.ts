import { concatHex, size } from 'viem'
import type { Address, Hex } from '../../domain/token/token.ts'
import { toWords } from '../../domain/words.ts'
import type { Rpc } from '../rpc/rpc.ts'
import { isSwapRevert } from '../rpc/rpcError.ts'
import * as answers from '../rpc/schemas.ts'
import {
  catchUnsupported,
  type PaidCall,
  type SimulatedCall,
  type SimulationBackend,
  unsupported,
} from './simulationBackend.ts'

/** contracts/Probe.sol, compiled. */
export const probeCode: Hex =
  '0x6080604052323314606e5760045f8037631626ba7e5f5160e01c1460225760205ff35b6004355f5260a4355f1a60205260406064813760206080805f60015afa5030608051147f1626ba7e00000000000000000000000000000000000000000000000000000000025f5260205ff35b5f805b368110607b57505ff35b608081606080930135908385018284830182375a5f808584602087013587356040890135f187525a900360208701523d60408701525f3d913e0101913d010190607156'

/** Without a limit, nodes assume maximum gas. */
const rich = { balance: '0x10000000000000000000000000' }

/**
 * Creates a backend on eth_call: the account's code is overridden to make the calls, and another sender pays.
 * Less reliable: no logs, contracts see code and sender, all calls are one transaction.
 */
export function createCallProbe(rpc: Rpc, from: Address, backend: SimulationBackend): SimulationBackend {
  return {
    ...backend,
    isNarrow: true,
    feeOf: () => 0n,
    async run(calls) {
      if (calls.some(({ to }) => to === undefined)) return unsupported
      const { gas: _least, ...call } = backend.asking({ to: from, data: concatHex(calls.map(pack)) })
      const overrides = { [from]: { code: probeCode }, [call.from]: rich, ...backend.readerState }
      const outcome = await catchUnsupported(
        rpc.attempt('eth_call', [call, 'latest', overrides], answers.hex),
      )
      if ('refusal' in outcome) return unsupported
      const results = unpack(outcome.result, calls)
      // Code override ignored.
      if (results.length !== calls.length) return unsupported
      // It succeeds alone, so the simulation may be the cause.
      const first = calls.findIndex((each) => each.from === from)
      const isDoubtful = results.some(({ status, returnData }, index) => {
        const isOwn = calls[index]?.from === from
        return isOwn && status === '0x0' && (index === first || !isSwapRevert(returnData))
      })
      return isDoubtful ? unsupported : { results }
    },
  }
}

function pack(call: PaidCall): Hex {
  const { to = call.from, value, gas, data } = call
  const left = BigInt(gas) - intrinsicGas(data)
  return concatHex([toWords([to, BigInt(value), left > 0n ? left : 0n, size(data)]), data])
}

function unpack(packed: Hex, calls: PaidCall[]): SimulatedCall[] {
  const results: SimulatedCall[] = []
  for (let rest = packed.slice(2); rest.length >= 192; ) {
    const word = (index: number) => BigInt(`0x${rest.slice(index * 64, index * 64 + 64)}`)
    const end = 192 + Number(word(2)) * 2
    results.push({
      status: word(0) === 1n ? '0x1' : '0x0',
      gasUsed: word(1) + intrinsicGas(calls[results.length]?.data ?? '0x'),
      returnData: `0x${rest.slice(192, end)}`,
      logs: [],
    })
    rest = rest.slice(end)
  }
  return results
}

/** EIP-2028. */
function intrinsicGas(data: Hex): bigint {
  const zeros = data.match(/../g)?.filter((byte) => byte === '00').length ?? 0
  return BigInt(21_000 + size(data) * 16 - zeros * 12)
}
