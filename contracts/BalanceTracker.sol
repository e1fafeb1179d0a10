// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISwapRouter} from './ISwapRouter.sol';
import {NATIVE, Transfers} from './Transfers.sol';

/// @param idle present before the call, or set aside
struct Ledger {
  address[] tokens;
  uint256[] idle;
}

/// @notice Measures what a swap brought in: balances above `idle`.
library BalanceTracker {
  using Transfers for address;

  /// @dev msg.value is not idle.
  function open(address[] memory tokens) internal view returns (Ledger memory ledger) {
    ledger = Ledger(tokens, new uint256[](tokens.length));
    for (uint256 i = 0; i < tokens.length; ++i) {
      ledger.idle[i] = tokens[i].balanceOf(address(this));
      if (tokens[i] == NATIVE) ledger.idle[i] -= msg.value;
    }
  }

  function held(Ledger memory ledger, uint256 index) internal view returns (uint256) {
    uint256 balance = ledger.tokens[index].balanceOf(address(this));
    uint256 idle = ledger.idle[index];
    if (balance < idle) revert ISwapRouter.IdleTouched(ledger.tokens[index], balance, idle);
    return balance - idle;
  }

  function setAside(Ledger memory ledger, uint256 amount) internal pure {
    ledger.idle[0] += amount;
  }

  function release(Ledger memory ledger, uint256 amount) internal pure {
    ledger.idle[0] -= amount;
  }
}
