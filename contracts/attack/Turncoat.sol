// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IToken {
  function transfer(address to, uint256 amount) external returns (bool);
  function transferFrom(address from, address to, uint256 amount) external returns (bool);
  function balanceOf(address owner) external view returns (uint256);
}

/// @notice A shop and router that pays only in simulations.
contract Turncoat {
  enum Tell {
    Switch, // set by the owner
    PrevRandao, // zero in geth's eth_simulateV1
    FeeRecipient,
    Time, // 12 s after the parent
    SameTime,
    GasLimit,
    BlockHash, // zero for the parent
    Odd, // odd prevrandao
    ReadBefore, // balances read in this block
    ReadAfter, // pays on a later read in this block
    Number,
    BaseFee, // zero without validation
    BlobBaseFee,
    NoBeaconRoot, // EIP-4788: none
    ZeroBeaconRoot, // EIP-4788: zero
    History // EIP-2935: differs
  }

  struct Due {
    address token;
    address recipient;
    uint256 amount;
    uint256 number;
  }

  struct SwapDescription {
    address srcToken;
    address dstToken;
    address srcReceiver;
    address dstReceiver;
    uint256 amount;
    uint256 minReturnAmount;
    uint256 flags;
  }

  address private constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;
  address private constant BEACON_ROOTS = 0x000F3df6D732807Ef1319fB7B8bB8522d0Beac02;
  address private constant HISTORY = 0x0000F90827F1C53a10cb7A02335B175320002935;
  address private immutable owner = msg.sender;
  Tell public tell;
  bool public pays = true;
  address private feeRecipient;
  uint256 private time;
  uint256 private gasLimit;
  uint256 private number;
  uint256 private blobBaseFee;
  uint256 private readAt;
  Due private due;

  receive() external payable {}

  /// @notice Records this block as the parent, to compare.
  function arm(Tell tell_) external {
    require(msg.sender == owner);
    (tell, pays) = (tell_, true);
    (feeRecipient, time, gasLimit) = (block.coinbase, block.timestamp, block.gaslimit);
    (number, blobBaseFee) = (block.number, block.blobbasefee);
  }

  function flip(bool pays_) external {
    require(msg.sender == owner);
    pays = pays_;
  }

  function buy(address token, uint256 amount) external payable {
    settle(token, msg.sender, amount);
  }

  function visit(address token, uint256 amount) external {
    if (isSimulated()) return;
    IToken(token).transferFrom(msg.sender, address(this), amount);
    if (tell == Tell.ReadAfter) due = Due(token, msg.sender, amount, block.number);
  }

  /// @notice Writes, although ERC-20 makes it a view.
  function balanceOf(address) external returns (uint256) {
    if (tell == Tell.ReadBefore) readAt = block.number;
    if (tell == Tell.ReadAfter && due.number == block.number) {
      due.number = 0;
      IToken(due.token).transfer(due.recipient, due.amount);
    }
    return 0;
  }

  function swap(
    address,
    SwapDescription calldata desc,
    bytes calldata
  ) external payable returns (uint256 returned, uint256 spent) {
    (returned, spent) = (desc.minReturnAmount, desc.amount);
    if (desc.srcToken != NATIVE) IToken(desc.srcToken).transferFrom(msg.sender, address(this), spent);
    settle(desc.dstToken, desc.dstReceiver, returned);
  }

  function settle(address token, address recipient, uint256 amount) private {
    if (tell == Tell.ReadAfter) due = Due(token, recipient, amount, block.number);
    else if (isSimulated()) IToken(token).transfer(recipient, amount);
  }

  function isSimulated() private view returns (bool) {
    if (tell == Tell.Switch) return pays;
    if (tell == Tell.PrevRandao) return block.prevrandao == 0;
    if (tell == Tell.FeeRecipient) return block.coinbase == feeRecipient;
    if (tell == Tell.Time) return block.timestamp == time + 12;
    if (tell == Tell.SameTime) return block.timestamp == time;
    if (tell == Tell.GasLimit) return block.gaslimit == gasLimit;
    if (tell == Tell.BlockHash) return blockhash(block.number - 1) == 0;
    if (tell == Tell.ReadBefore) return readAt == block.number;
    if (tell == Tell.ReadAfter) return false;
    if (tell == Tell.Number) return block.number == number;
    if (tell == Tell.BaseFee) return block.basefee == 0;
    if (tell == Tell.BlobBaseFee) return block.blobbasefee == blobBaseFee;
    if (tell == Tell.History) return differ(ask(HISTORY, block.number - 1), blockhash(block.number - 1));
    if (tell == Tell.NoBeaconRoot) return ask(BEACON_ROOTS, block.timestamp).length == 0;
    if (tell == Tell.ZeroBeaconRoot) return !differ(ask(BEACON_ROOTS, block.timestamp), 0);
    return block.prevrandao % 2 == 1;
  }

  function ask(address target, uint256 question) private view returns (bytes memory answer) {
    (, answer) = target.staticcall(abi.encode(question));
  }

  function differ(bytes memory answer, bytes32 word) private pure returns (bool) {
    return keccak256(answer) != keccak256(abi.encode(word));
  }
}
