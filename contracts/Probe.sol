// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Tries calls out as an account that has this code for the length of an eth_call.
/// @dev It is never deployed: the wallet carries its code along (src/evm/ethCallSimulation.ts), so it is as small as it can be.
/// The calls come packed, each as its target, value, gas and size, 32 bytes each, then its data. The results go back
/// packed the same way: success, the gas that was used, the size of what was returned, and that.
contract Probe {
  fallback() external payable {
    assembly {
      // Who sent the transaction asks. A contract on the way cannot have the account do anything.
      if eq(caller(), origin()) {
        let from := 0
        let to := 0
        for {} lt(from, calldatasize()) {} {
          let size := calldataload(add(from, 96))
          let tail := add(to, 96)
          calldatacopy(tail, add(from, 128), size)
          let target := calldataload(from)
          let value := calldataload(add(from, 32))
          let before := gas()
          mstore(to, call(calldataload(add(from, 64)), target, value, tail, size, 0, 0))
          mstore(add(to, 32), sub(before, gas()))
          mstore(add(to, 64), returndatasize())
          returndatacopy(tail, 0, returndatasize())
          from := add(add(from, 128), size)
          to := add(tail, returndatasize())
        }
        return(0, to)
      }
      // To others it is like an account without code: it takes coins, and its signature is the one of its key. So a
      // contract that asks because there is code (EIP-1271) is told what it would have found out without.
      calldatacopy(0, 0, 4)
      if eq(shr(224, mload(0)), 0x1626ba7e) {
        mstore(0, calldataload(4))
        mstore(32, byte(0, calldataload(164)))
        calldatacopy(64, 100, 64)
        pop(staticcall(gas(), 1, 0, 128, 128, 32))
        mstore(0, mul(shl(224, 0x1626ba7e), eq(mload(128), address())))
      }
      // Who hands over an item wants its own selector back (EIP-721, EIP-1155).
      return(0, 32)
    }
  }
}
