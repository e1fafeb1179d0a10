// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// @title What writing to L1 costs on the OP stack, since Fjord.
contract Oracle {
  function getL1FeeUpperBound(uint256 unsignedTxSize) external pure returns (uint256) {
    return unsignedTxSize * 1001;
  }

  function getL1Fee(bytes calldata) external pure returns (uint256) {
    return 1;
  }
}

/// @title The same before it.
contract OldOracle {
  function getL1FeeUpperBound(uint256) external pure returns (uint256) {
    revert('GasPriceOracle: getL1FeeUpperBound only supports Fjord');
  }

  function getL1Fee(bytes calldata unsignedTx) external pure returns (uint256 fee) {
    for (uint256 i = 0; i < unsignedTx.length; i++) fee += unsignedTx[i] == 0 ? 4 : 16;
  }
}
