// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @notice The OP stack's predeploy, as far as a wallet and the service read it: one gwei per byte.
contract GasPriceOracle {
  /// @dev Slot 0, which tests write: another fee per byte plus one, in wei.
  uint256 private other;

  function getL1FeeUpperBound(uint256 unsignedTxSize) external view returns (uint256) {
    return unsignedTxSize * _perByte();
  }

  function getL1Fee(bytes calldata unsignedTx) external view returns (uint256) {
    return unsignedTx.length * _perByte();
  }

  function _perByte() private view returns (uint256) {
    return other == 0 ? 1 gwei : other - 1;
  }
}
