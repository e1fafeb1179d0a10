// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISwapRouter} from './ISwapRouter.sol';
import {NATIVE, Transfers} from './Transfers.sol';

/// @param tokens of a route
/// @param idle what the router has of each that is not to be touched: there before the call, or set aside
struct Ledger {
  address[] tokens;
  uint256[] idle;
}

/// @title What a call brought in: of every token the balance above `idle`, read when it is asked for and never believed.
library Ledgers {
  using Transfers for address;

  /// @dev The native coin that came with the call is not idle.
  function open(address[] memory tokens) internal view returns (Ledger memory ledger) {
    ledger = Ledger(tokens, new uint256[](tokens.length));
    for (uint256 i = 0; i < tokens.length; ++i) {
      ledger.idle[i] = tokens[i].balanceOf(address(this));
      if (tokens[i] == NATIVE) ledger.idle[i] -= msg.value;
    }
  }

  /// @dev What this call brought in of a token and still has, less what was set aside.
  function held(Ledger memory ledger, uint256 index) internal view returns (uint256) {
    uint256 balance = ledger.tokens[index].balanceOf(address(this));
    uint256 idle = ledger.idle[index];
    if (balance < idle) revert ISwapRouter.IdleTouched(ledger.tokens[index], balance, idle);
    return balance - idle;
  }

  /// @dev Puts a part of the source out of the route's reach.
  function setAside(Ledger memory ledger, uint256 amount) internal pure {
    ledger.idle[0] += amount;
  }

  /// @dev Gives it back.
  function release(Ledger memory ledger, uint256 amount) internal pure {
    ledger.idle[0] -= amount;
  }
}
