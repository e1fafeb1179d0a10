import { expect } from 'vitest'
import type { Localnet } from '../../../dev/localnet.ts'
import type { Address, Hex } from '../../../src/domain/token/token.ts'
import type { Chain } from '../../../src/evm/client.ts'
import { signTransaction, type Transaction } from '../../../src/evm/transaction.ts'

/** Prepares and sends transactions by the wallet's client. */
export function createSender(localnet: () => Localnet, chain: () => Chain) {
  return {
    async prepare(from: Address, call: { to: Address; data?: Hex; value?: bigint }): Promise<Transaction> {
      const [{ pending: nonce }, fees] = await Promise.all([chain().nonces(from), chain().fees()])
      return { chainId: localnet().chainId, nonce, data: '0x', value: 0n, gas: 200_000n, ...call, ...fees }
    },

    /** Returns hash and receipt. */
    async sendSigned(privateKey: Hex, transaction: Transaction) {
      const { raw, hash } = await signTransaction(privateKey, transaction)
      expect(await chain().send(raw)).toBe('sent')
      await localnet().client.receiptOf(hash)
      const receipt = await chain().receipt(hash)
      if (receipt === undefined) expect.fail('was not mined')
      return { hash, ...receipt }
    },
  }
}
