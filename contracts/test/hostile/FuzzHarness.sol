// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {NATIVE, Transfers} from '../../Transfers.sol';
import {Rogue} from './MaliciousPool.sol';

interface IAllowances {
  function allowance(address owner, address spender) external view returns (uint256);
}

/// @title Swaps among rogues, and says what moved that nobody may move.
/// @notice It is the seller, and directs the rogues: each asks it for a number when it is called, and for a move to make.
/// After every swap it looks at the balances and allowances that no swap may touch.
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
    address[] paid; // by each rogue, should it be asked
  }

  address public router;
  address public bystander;
  Rogue[] public rogues;
  address[] private tokens;
  address[] private spenders;
  Move[] private repertoire;

  /// @notice Whether rogues do as they like; otherwise they are what they pose as.
  bool public playing;
  uint256 public seed;
  uint256 private rolls;
  uint256 private tried;
  uint256 private hit;
  mapping(Rogue => address) public pays;
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

  /// @notice Makes a call in its own name.
  function perform(address target, bytes calldata data) external {
    (bool done, ) = target.call(data);
    require(done);
  }

  /// @notice A number that nobody chose, another each time.
  function roll() public returns (uint256) {
    return uint256(keccak256(abi.encode(seed, ++rolls)));
  }

  /// @notice What a rogue may do next.
  function prompt() external returns (Move memory) {
    return repertoire[roll() % repertoire.length];
  }

  /// @notice A rogue says that it made a move, and whether it went through.
  function count(bool done) external {
    ++tried;
    if (done) ++hit;
  }

  /// @return done whether the swap went through
  /// @return answer what it answered
  /// @return tries how many moves the rogues made meanwhile
  /// @return hits how many of them went through
  /// @return breach what it moved that it may not; empty when all is well
  function run(
    Step calldata step
  ) external returns (bool done, bytes memory answer, uint256 tries, uint256 hits, Breach memory breach) {
    (seed, rolls, tried, hit) = (step.seed, 0, 0, 0);
    for (uint256 i = 0; i < rogues.length; ++i) pays[rogues[i]] = step.paid[i];
    playing = true;
    (done, answer) = router.call{value: step.value, gas: step.gas}(step.swap);
    playing = false;
    (tries, hits) = (tried, hit);
    breach = look(step.sold, step.amount);
  }

  /// @notice Compares with what it saw when it looked last. Gifts are welcome everywhere but at the bystander's.
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
