// Pinocchio's own loop, timed: the peer that the batch benchmarks are shown beside.
//
//   pinocchio time MODEL BATCH REPEATS    nanoseconds per evaluation, one JSON object
//   pinocchio evaluate MODEL STATES       tau, qdd and M at given states, one JSON object
//
// MODEL is the text file that pinocchio.py writes: "gravity x y z", "joints n", then for each joint one line
//   parent kind r11 r12 r13 p1 r21 r22 r23 p2 r31 r32 r33 p3 mass c1 c2 c3 Ixx Ixy Ixz Iyy Iyz Izz
// where parent is 0 for the base or the 1-based number of an earlier joint, kind is R or P (about or along z of the
// placed frame) or F (it floats: position and quaternion x, y, z, w), [R p] places the joint frame in its parent's, c is the centre of mass and I the inertia about it, both
// in the joint's frame. A line of STATES holds q, v and x; x is the acceleration for rnea and the torque for aba.

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace pin = pinocchio;
using Eigen::VectorXd;

struct State {
    VectorXd q, v, x;
};

static void expect(std::istream &in, const char *word) {
    std::string found;
    if (!(in >> found) || found != word) throw std::runtime_error(std::string("expected '") + word + "', found '" + found + "'");
}

static pin::Model read_model(const char *path) {
    std::ifstream in(path);
    if (!in) throw std::runtime_error(std::string("cannot open ") + path);
    Eigen::Vector3d gravity;
    int joints = 0;
    expect(in, "gravity");
    in >> gravity[0] >> gravity[1] >> gravity[2];
    expect(in, "joints");
    in >> joints;
    pin::Model model;
    model.gravity.linear() = gravity;
    for (int j = 1; j <= joints; ++j) {
        pin::JointIndex parent = 0;
        char kind = '?';
        double mass = 0;
        Eigen::Matrix3d R, I;
        Eigen::Vector3d p, c;
        in >> parent >> kind;
        for (int row = 0; row < 3; ++row) in >> R(row, 0) >> R(row, 1) >> R(row, 2) >> p[row];
        in >> mass >> c[0] >> c[1] >> c[2];
        in >> I(0, 0) >> I(0, 1) >> I(0, 2) >> I(1, 1) >> I(1, 2) >> I(2, 2);
        if (!in || parent >= static_cast<pin::JointIndex>(j) || std::string("RPF").find(kind) == std::string::npos)
            throw std::runtime_error("joint " + std::to_string(j) + " is not a joint line");
        I(1, 0) = I(0, 1), I(2, 0) = I(0, 2), I(2, 1) = I(1, 2);
        const pin::SE3 placement(R, p);
        const std::string name = "joint" + std::to_string(j);
        const pin::JointIndex id = kind == 'R'   ? model.addJoint(parent, pin::JointModelRZ(), placement, name)
                                   : kind == 'P' ? model.addJoint(parent, pin::JointModelPZ(), placement, name)
                                                 : model.addJoint(parent, pin::JointModelFreeFlyer(), placement, name);
        model.appendBodyToJoint(id, pin::Inertia(mass, c, I), pin::SE3::Identity());
    }
    return model;
}

static std::vector<State> random_states(const pin::Model &model, int count) {
    std::mt19937_64 engine(20240229);
    std::uniform_real_distribution<double> angle(-3.14159, 3.14159), unit(-1, 1);
    std::vector<State> states(count, State{VectorXd(model.nq), VectorXd(model.nv), VectorXd(model.nv)});
    for (State &s : states) {
        for (double &value : s.q) value = angle(engine);
        pin::normalize(model, s.q);
        for (double &value : s.v) value = unit(engine);
        for (double &value : s.x) value = unit(engine);
    }
    return states;
}

static std::vector<State> read_states(const pin::Model &model, const char *path) {
    std::ifstream in(path);
    if (!in) throw std::runtime_error(std::string("cannot open ") + path);
    std::vector<State> states;
    for (double first; in >> first;) {
        State s{VectorXd(model.nq), VectorXd(model.nv), VectorXd(model.nv)};
        s.q[0] = first;
        for (int i = 1; i < model.nq; ++i) in >> s.q[i];
        for (double &value : s.v) in >> value;
        for (double &value : s.x) in >> value;
        if (!in) throw std::runtime_error("the last state is cut short");
        states.push_back(s);
    }
    return states;
}

// The compiler must assume that somebody reads what the call left in `data`.
static void keep(const pin::Data &data) { asm volatile("" : : "r"(&data) : "memory"); }

template <typename Call>
static double nanoseconds(const std::vector<State> &states, int repeats, const pin::Data &data, Call call) {
    using clock = std::chrono::steady_clock;
    double best = std::numeric_limits<double>::infinity();
    for (int repeat = 0; repeat <= repeats; ++repeat) {
        const auto start = clock::now();
        for (const State &s : states) {
            call(s);
            keep(data);
        }
        const std::chrono::duration<double, std::nano> spent = clock::now() - start;
        if (repeat > 0) best = std::min(best, spent.count() / states.size());  // the first pass warms caches and clock
    }
    return best;
}

static void time_all(const pin::Model &model, int batch, int repeats) {
    pin::Data data(model);
    const std::vector<State> states = random_states(model, batch);
    const std::vector<State> one(batch, states.front());
    const auto row = [&](const char *name, const std::vector<State> &over, auto call, const char *end = ", ") {
        std::cout << '"' << name << "\": " << nanoseconds(over, repeats, data, call) << end;
    };
    const auto rnea = [&](const State &s) { pin::rnea(model, data, s.q, s.v, s.x); };
    std::cout << "{";
    row("rnea", states, rnea);
    row("rnea_one_state", one, rnea);
    row("aba", states, [&](const State &s) { pin::aba(model, data, s.q, s.v, s.x); });
    row("aba_world", states, [&](const State &s) { pin::aba(model, data, s.q, s.v, s.x, pin::Convention::WORLD); });
    row("crba", states, [&](const State &s) { pin::crba(model, data, s.q); });
    row("crba_world", states, [&](const State &s) { pin::crba(model, data, s.q, pin::Convention::WORLD); });
    row("jacobians", states, [&](const State &s) { pin::computeJointJacobians(model, data, s.q); });
    row("rnea_derivatives", states, [&](const State &s) { pin::computeRNEADerivatives(model, data, s.q, s.v, s.x); }, "}\n");
}

template <typename Numbers>
static void print(const Numbers &numbers, const char *end) {
    std::cout << '[';
    for (Eigen::Index i = 0; i < numbers.size(); ++i) std::cout << (i ? ", " : "") << numbers(i);
    std::cout << ']' << end;
}

static void evaluate(const pin::Model &model, const std::vector<State> &states) {
    pin::Data data(model);
    std::cout << std::setprecision(17) << "[";
    for (std::size_t i = 0; i < states.size(); ++i) {
        const State &s = states[i];
        std::cout << (i ? ",\n " : "") << "{\"tau\": ";
        print(pin::rnea(model, data, s.q, s.v, s.x), ", \"qdd\": ");
        print(pin::aba(model, data, s.q, s.v, s.x), ", \"M\": ");
        // crba fills the upper triangle only
        const Eigen::MatrixXd M = pin::crba(model, data, s.q).template selfadjointView<Eigen::Upper>();
        print(Eigen::Map<const VectorXd>(M.data(), M.size()), "}");
    }
    std::cout << "]\n";
}

int main(int argc, char **argv) {
    const std::string what = argc > 1 ? argv[1] : "";
    try {
        if (what == "time" && argc == 5)
            time_all(read_model(argv[2]), std::atoi(argv[3]), std::atoi(argv[4]));
        else if (what == "evaluate" && argc == 4) {
            const pin::Model model = read_model(argv[2]);
            evaluate(model, read_states(model, argv[3]));
        } else
            throw std::runtime_error("usage: pinocchio time MODEL BATCH REPEATS | evaluate MODEL STATES");
    } catch (const std::exception &error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
