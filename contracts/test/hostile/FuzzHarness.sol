// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {NATIVE, Transfers} from '../../Transfers.sol';
import {Rogue} from './MaliciousPool.sol';

interface IAllowances {
  function allowance(address owner, address spender) external view returns (uint256);
}

/// @notice Directs rogues and reports balances and allowances no swap may change.
contract Gauntlet {
  using Transfers for address;

  struct Move {
    address target;
    uint256 value;
    bytes data;
  }
  struct Breach {
    string what;
    address token;
    uint256 before;
    uint256 found;
  }
  struct Step {
    bytes swap;
    uint256 value;
    uint256 gas;
    address sold;
    uint256 amount;
    uint256 seed;
    address[] paid; // token each rogue pays
    address[] taken; // token each rogue takes
  }

  address public router;
  address public bystander;
  Rogue[] public rogues;
  address[] private tokens;
  address[] private spenders;
  Move[] private repertoire;

  /// @notice True while rogues misbehave.
  bool public playing;
  uint256 public seed;
  uint256 private rolls;
  uint256 private tried;
  uint256 private hit;
  mapping(Rogue => address) public pays;
  mapping(Rogue => address) public takes;
  mapping(bytes32 place => uint256) private known;

  receive() external payable {}

  function cast(
    address router_,
    address bystander_,
    Rogue[] calldata rogues_,
    address[] calldata tokens_,
    address[] calldata spenders_
  ) external {
    (router, bystander, rogues, tokens, spenders) = (router_, bystander_, rogues_, tokens_, spenders_);
  }

  function teach(Move[] calldata moves) external {
    for (uint256 i = 0; i < moves.length; ++i) repertoire.push(moves[i]);
  }

  function perform(address target, bytes calldata data) external {
    (bool done, ) = target.call(data);
    require(done);
  }

  /// @notice Returns the next pseudo-random number.
  function roll() public returns (uint256) {
    return uint256(keccak256(abi.encode(seed, ++rolls)));
  }

  /// @notice Returns a random move.
  function prompt() external returns (Move memory) {
    return repertoire[roll() % repertoire.length];
  }

  function count(bool done) external {
    ++tried;
    if (done) ++hit;
  }

  /// @notice `tries` counts the rogues' moves, `hits` successful ones.
  function run(
    Step calldata step
  ) external returns (bool done, bytes memory answer, uint256 tries, uint256 hits, Breach memory breach) {
    (seed, rolls, tried, hit) = (step.seed, 0, 0, 0);
    for (uint256 i = 0; i < rogues.length; ++i) {
      (pays[rogues[i]], takes[rogues[i]]) = (step.paid[i], step.taken[i]);
    }
    playing = true;
    (done, answer) = router.call{value: step.value, gas: step.gas}(step.swap);
    playing = false;
    (tries, hits) = (tried, hit);
    breach = look(step.sold, step.amount);
  }

  /// @notice Compares with the previous look. Only the bystander must not gain.
  function look(address sold, uint256 amount) public returns (Breach memory breach) {
    for (uint256 i = 0; i < tokens.length; ++i) {
      address token = tokens[i];
      uint256 price = token == sold ? amount : 0;
      _compare(breach, 'The router lost some', token, router, 0, true);
      _compare(breach, 'The seller lost more than the amount', token, address(this), price, true);
      _compare(breach, "The bystander's balance changed", token, bystander, 0, false);
      if (token == NATIVE) continue;

      uint256 allowed = IAllowances(token).allowance(bystander, router);
      bytes32 place = keccak256(abi.encode(token));
      if (known[place] != allowed) {
        if (known[place] != 0) _tell(breach, "The bystander's allowance changed", token, known[place], allowed);
        known[place] = allowed;
      }
      for (uint256 j = 0; j < spenders.length; ++j) {
        uint256 standing = IAllowances(token).allowance(router, spenders[j]);
        if (standing > 0) _tell(breach, 'The router allows somebody something', token, 0, standing);
      }
    }
  }

  function _compare(
    Breach memory breach,
    string memory what,
    address token,
    address owner,
    uint256 price,
    bool mayGrow
  ) private {
    bytes32 place = keccak256(abi.encode(token, owner));
    uint256 before = known[place];
    uint256 found = token.balanceOf(owner);
    if (before == found) return;
    if (before > found + price || (before < found && !mayGrow && before > 0)) _tell(breach, what, token, before, found);
    known[place] = found;
  }

  function _tell(Breach memory breach, string memory what, address token, uint256 before, uint256 found) private pure {
    (breach.what, breach.token, breach.before, breach.found) = (what, token, before, found);
  }
}
