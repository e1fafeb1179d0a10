// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice Runs calls as an account whose code is overridden during an eth_call.
/// @dev Never deployed (src/evm/simulation/ethCallSimulation.ts). Packed calls: target, value, gas, size
/// (32 bytes each), data. Packed results: success, gas used, size, data.
contract Probe {
  fallback() external payable {
    assembly {
      // Only the transaction sender may run calls.
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
      // Otherwise acts like an account without code: accepts native tokens; EIP-1271 checks the key's
      // signature.
      calldatacopy(0, 0, 4)
      if eq(shr(224, mload(0)), 0x1626ba7e) {
        mstore(0, calldataload(4))
        mstore(32, byte(0, calldataload(164)))
        calldatacopy(64, 100, 64)
        pop(staticcall(gas(), 1, 0, 128, 128, 32))
        mstore(0, mul(shl(224, 0x1626ba7e), eq(mload(128), address())))
      }
      // Receiver hooks expect their selector (EIP-721, EIP-1155).
      return(0, 32)
    }
  }
}
