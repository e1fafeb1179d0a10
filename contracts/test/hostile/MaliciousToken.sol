// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Gauntlet} from './FuzzHarness.sol';
import {Rogue} from './MaliciousPool.sol';

/// @notice Attacks during transfers, moves wrong amounts and may misstate balances.
contract RogueToken is Rogue {
  bool private immutable lies;

  mapping(address owner => uint256) private balances;
  mapping(address owner => mapping(address spender => uint256)) public allowance;

  constructor(Gauntlet gauntlet, bool lies_) Rogue(gauntlet) {
    lies = lies_;
  }

  function balanceOf(address owner) external view returns (uint256) {
    uint256 number = director.seed();
    return lies && director.playing() && number % 4 == 0 ? balances[owner] + (number >> 200) : balances[owner];
  }

  function mint(address to, uint256 value) external {
    balances[to] += value;
  }

  function approve(address spender, uint256 value) external returns (bool) {
    attack(8);
    allowance[msg.sender][spender] = value;
    return true;
  }

  function transfer(address to, uint256 value) external returns (bool) {
    attack(4);
    uint256 surcharge = director.playing() && director.roll() % 16 == 0 ? 3 : 0;
    return _move(msg.sender, to, value, surcharge);
  }

  function transferFrom(address from, address to, uint256 value) external returns (bool) {
    attack(4);
    allowance[from][msg.sender] -= value;
    return _move(from, to, value, 0);
  }

  function _move(address from, address to, uint256 value, uint256 surcharge) private returns (bool) {
    uint256 number = director.playing() ? director.roll() % 16 : 0;
    if (number == 1) return false;
    balances[from] -= value + surcharge;
    if (number == 2) value += 3;
    if (number == 3) value -= value / 10;
    balances[to] += value;
    return true;
  }
}
