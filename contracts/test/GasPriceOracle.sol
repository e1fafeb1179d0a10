// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice The OP stack's predeploy, as far as a wallet reads it: one gwei per byte.
contract GasPriceOracle {
  function getL1FeeUpperBound(uint256 unsignedTxSize) external pure returns (uint256) {
    return unsignedTxSize * 1 gwei;
  }

  function getL1Fee(bytes calldata unsignedTx) external pure returns (uint256) {
    return unsignedTx.length * 1 gwei;
  }
}
